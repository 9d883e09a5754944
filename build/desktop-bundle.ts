import { fileURLToPath } from 'node:url'

/** Where the desktop's bundle of this run of tests is built: below the packages that it finds by its place. */
export const desktopBundle = (process.env['DESKTOP_BUNDLE'] ??= fileURLToPath(new URL(`../node_modules/.cache/desktop-tests/${String(process.pid)}-${String(Math.round(performance.timeOrigin))}`, import.meta.url)))
