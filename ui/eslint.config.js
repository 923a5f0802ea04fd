import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const onlyThePlatform =
  '@tauri-apps/* is imported by src/lib/platform alone: everything else asks the Platform.';

export default ts.config(
  {
    ignores: ['build', '.svelte-kit', 'node_modules', 'src/lib/paraglide', 'src/lib/api/generated', 'shots'],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  prettier,
  ...svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      'no-undef': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'svelte/no-at-html-tags': 'error',
      'svelte/no-inline-styles': ['error', { allowTransitions: true }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    files: ['src/**/*.{ts,svelte}'],
    ignores: ['src/lib/platform/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['@tauri-apps/*'], message: onlyThePlatform }] },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(ImportExpression, TSImportType)[source.value=/^@tauri-apps/]',
          message: onlyThePlatform,
        },
        {
          selector: 'JSXAttribute[name.name="style"], SvelteAttribute[key.name="style"]',
          message: 'No style attributes: the content security policy blocks them. Use a class.',
        },
      ],
    },
  },
);
