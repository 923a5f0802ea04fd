import adapter from '@sveltejs/adapter-static';

/** One page, opened from the program's own files: the hash router needs no server that knows the routes. */
export default {
  compilerOptions: { runes: true },
  kit: {
    adapter: adapter(),
    router: { type: 'hash' },
    output: { bundleStrategy: 'single' },
  },
};
