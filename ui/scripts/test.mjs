/*
 * Runs every test against the built window and ends with one plain line that says how many passed and how many failed.
 * `CHROMIUM` names the browser; /usr/bin/chromium if it is not set.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'kernodeck-ui-'));
const report = join(folder, 'report.json');
const ran = spawnSync(
  process.execPath,
  [
    join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { CHROMIUM: '/usr/bin/chromium', ...process.env } },
);

/** How many passed and failed. A file that can't even be loaded counts as one failure: none of its tests ran. */
function counted() {
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    const unloaded = counts.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    return { passed: counts.numPassedTests, failed: counts.numFailedTests + unloaded.length };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { passed, failed } = counted();
console.log(`${passed} passed, ${failed} failed`);
process.exit(ran.status === 0 && failed === 0 ? 0 : 1);
