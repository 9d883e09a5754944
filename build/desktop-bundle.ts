import { fileURLToPath } from 'node:url'

/** Where this test run's desktop bundle is built: below the packages that it resolves by location. */
export const desktopBundle = (process.env['DESKTOP_BUNDLE'] ??= fileURLToPath(new URL(`../node_modules/.cache/desktop-tests/${String(process.pid)}-${String(Math.round(performance.timeOrigin))}`, import.meta.url)))
