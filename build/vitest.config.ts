import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { programsFolder } from './programs-folder.ts'
import { builtForTests } from './programs.ts'

const root = new URL('..', import.meta.url).pathname
// A run by tag reads only files that have a test for it: each would load its modules. In a long run those contain the tag, or the helper that sets it (tests/fuzz/hold-all.ts).
const [onlyLong, onlyShort] = ['long', '!long'].map((tag) => process.argv.includes(`--tags-filter=${tag}`))
const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8')
// CI leaves tests with this tag to the nightly run; by hand the long run takes them too.
const leavesNightly = process.env['CI'] !== undefined && process.env['NIGHTLY'] === undefined
const hasLong = leavesNightly ? /'long'(?!, 'nightly')|@module-tag long|holdAll/ : /'long'|@module-tag long|holdAll/
const nightlyFiles = leavesNightly ? globSync('tests/**/*.{test,long}.ts', { cwd: root }).filter((file) => textOf(file).includes('@module-tag nightly')) : []
const filesOf = (pattern: string): string[] => {
  const files = globSync(pattern, { cwd: root })
  if (onlyLong) return files.filter((file) => !nightlyFiles.includes(file) && hasLong.test(textOf(file)))
  return onlyShort ? files.filter((file) => !textOf(file).includes('@module-tag long')) : files
}
const [slowFiles = [], unitFiles = []] = [true, false].map((slow) => filesOf('{shared,electron,cloud,renderer,build,tests/demo-broker}/**/*.test.ts').filter((file) => textOf(file).includes('@module-tag slow') === slow))
const seeded = fileURLToPath(new URL('./property-seed.ts', import.meta.url))

/** Tests of the desktop's files call functions that do without Electron: it has no exports here, where importing it would download it. */
const withoutElectron: Plugin = {
  name: 'fillbook:without-electron',
  enforce: 'pre',
  resolveId: (id) => (id === 'electron' || id.startsWith('@electron/remote/') ? '\0without-electron' : null),
  load: (id) => (id === '\0without-electron' ? 'export {}' : null),
}

/** For projects whose tests start programs or threads. */
const withPrograms = { globalSetup: fileURLToPath(new URL('./programs-setup.ts', import.meta.url)) }
/** Tests of the long run wait for their programs for a quarter of their time: more of them run than there are cores, from all projects together. */
const longWorkers = 4
const besideTheirFiles = {
  // On two cores Vitest would take only one.
  maxWorkers: onlyLong ? longWorkers : 2,
  // Projects with different numbers of workers run one after another.
  sequence: { groupOrder: 0 },
  // Loads the shared modules once per worker, and not once per file.
  isolate: false,
  // Long enough for a busy machine of two cores; passing tests never wait for it.
  testTimeout: 60_000,
}

// Vitest and Playwright read a default export; the house rules allow it only here.
export default defineConfig({
  root,
  plugins: [builtForTests, withoutElectron],
  cacheDir: 'node_modules/.cache/vitest',
  test: {
    pool: 'forks',
    environment: 'node',
    env: { BUILT_PROGRAMS: programsFolder },
    // Long enough for a busy machine; passing tests never wait for it.
    expect: { poll: { timeout: 30_000 } },
    tags: [
      { name: 'slow', description: 'Unit tests whose file takes more than a quarter of a second: `npm run check` leaves them to `npm test`.' },
      { name: 'long', description: 'Edges and faults beside what the short run of their file shows.' },
      { name: 'nightly', description: 'Long tests of what takes long and rarely breaks.', skip: leavesNightly },
      { name: 'fault', description: 'States what it found for the table of docs/reliability.md.' },
    ],
    setupFiles: seeded,
    projects: [
      { extends: true, test: { name: 'unit', include: unitFiles, ...besideTheirFiles } },
      // What `npm run check` leaves to `npm test`.
      { extends: true, test: { name: 'slow', include: slowFiles, ...besideTheirFiles, ...withPrograms } },
      { extends: true, test: { name: 'page', include: filesOf('renderer/**/*.test.tsx'), environment: 'happy-dom', ...besideTheirFiles, setupFiles: [seeded, fileURLToPath(new URL('./page-setup.ts', import.meta.url))] } },
      {
        extends: true,
        test: {
          ...withPrograms,
          name: 'crossing',
          include: filesOf('tests/{scenarios,properties,migrations,api,hosts,cloud,copier,faults,fuzz,attacks,enemy,simulation}/**/*.test.ts'),
          // As above. What a file changes in its process is reset before the next.
          isolate: false,
          setupFiles: [seeded, fileURLToPath(new URL('./same-process.ts', import.meta.url))],
          // They wait for each other's programs more than they compute.
          maxWorkers: onlyLong ? longWorkers : 3,
          sequence: { groupOrder: onlyLong ? 0 : 1 },
          // Long enough for a busy machine of two cores; passing tests never wait for it.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          ...withPrograms,
          name: 'long',
          include: ['tests/**/*.long.ts'],
          exclude: nightlyFiles,
          maxWorkers: longWorkers,
          sequence: { groupOrder: onlyLong ? 0 : 2 },
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
