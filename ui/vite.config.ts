import { sveltekit } from '@sveltejs/kit/vite';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];

export default defineConfig({
  plugins: [sveltekit()],
  // Firefox and Chromium read everything here; WebKitGTK 2.40 is the oldest window that the program opens in.
  build: { target: ['es2022', 'safari16.4'] },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['tests/unit/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['tests/components/**/*.test.ts'],
          testTimeout: 20_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({ launchOptions: { executablePath: chromium, args } }),
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          environment: 'node',
          include: [process.env.FOLDER ? 'tests/pages/pictures.ts' : 'tests/pages/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
