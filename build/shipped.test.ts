import { expect, test } from 'vitest'
import { listFaults, packageOf, shippedList } from './shipped.ts'

test('a module’s package is the innermost, wherever it is and whatever wraps it', () => {
  expect(
    [
      '/home/ava/fillbook/node_modules/zod/index.js',
      '/node_modules/@radix-ui/react-slot/dist/index.mjs',
      '/a/node_modules/electron-updater/node_modules/semver/index.js',
      '/a/node_modules/firebase/node_modules/@firebase/auth/dist/index.js?commonjs-module',
      'C:\\fillbook\\node_modules\\ms\\index.js',
      '\0/a/node_modules/ms/index.js?commonjs-es-import',
      '\0vite/preload-helper.js',
      '\0rolldown/runtime.js',
      '/a/renderer/app/main.tsx',
      '\0fillbook:backend',
    ].map(packageOf),
  ).toEqual(['zod', '@radix-ui/react-slot', 'electron-updater/node_modules/semver', 'firebase/node_modules/@firebase/auth', 'ms', 'ms', 'vite', 'rolldown', null, null])
})

test('a list is correct if it names exactly the bundled packages', () => {
  expect(listFaults(new Set(['zod', 'ms']), ['ms', 'zod'])).toEqual([])
  expect(listFaults(new Set(['zod', 'left-pad']), ['ms', 'zod'])).toEqual([expect.stringMatching(/^left-pad is shipped/), expect.stringMatching(/^ms is not shipped any more/)])
})

test('the list is in order, with nothing twice', () => {
  expect(shippedList()).toEqual([...new Set(shippedList())].toSorted())
})
