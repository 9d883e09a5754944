import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Rolldown } from 'vite'
import { licensesFile } from './licenses.ts'

// Texts load by language; styles and Vite's own additions have files of their own.
const isScript = (id: string): boolean => !/\/locales\/|\.css|\.html|\/app\/main\.tsx|^\0/.test(id)
const spokenEverywhere = /\/locales\/([^/]+)\/(?:app|plans|problems|ui)\.json$/
const forAnybody = /\/renderer\/(app\/main\.tsx|features\/(auth|landing|legal|not-found)\/[^/]+-page\.tsx)$/
// Through these everything would seem to import everything.
const wholePackage = /\/node_modules\/(radix-ui|lucide-react)\//
const overlays = /\/node_modules\/(@radix-ui\/react-(dialog|dismissable-layer|dropdown-menu|focus-scope|menu|popover|popper|tooltip)|@floating-ui|react-remove-scroll)/

const seenByAnybody = new Set<string>()
/** Finds the files of public screens, so that they load nothing of the others. */
const findSeenByAnybody: Rolldown.Plugin = {
  name: 'fillbook:seen-by-anybody',
  buildEnd() {
    const visit = (id: string): void => {
      if (seenByAnybody.has(id) || wholePackage.test(id)) return
      seenByAnybody.add(id)
      this.getModuleInfo(id)?.importedIds.forEach(visit)
    }
    for (const id of this.getModuleIds()) if (forAnybody.test(id)) visit(id)
  },
}
// The parts of one screen are of that screen alone, however many pieces it has.
const isSharedBehindSignIn = (id: string): boolean => overlays.test(id) || (isScript(id) && !/\/node_modules\/|\/features\/|\/ui\/(select|segmented|toggles|day-note.*)\.tsx|\/market\/contract-|\/stats\/risk\.ts|\/shared\/(api\/)?prices/.test(id) && !seenByAnybody.has(id))

/**
 * Builds the page that the backend serves: everything in files of its own origin, nothing inline, so that the page's
 * policy can forbid inline scripts. `page-budget.ts` limits the weight of routes.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../renderer', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../node_modules/.cache/vite', import.meta.url)),
  plugins: [react(), tailwind(), findSeenByAnybody, licensesFile],
  // Its package only offers bundlers the development build, which prints messages for developers when a page crashes.
  resolve: { alias: [['react-router', 'index'], ['react-router/dom', 'dom-export']].map(([name = '', file = '']) => ({ find: new RegExp(`^${name}$`), replacement: fileURLToPath(new URL(`../node_modules/react-router/dist/production/${file}.mjs`, import.meta.url)) })) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { debugName: 'sentences', name: (id) => spokenEverywhere.exec(id)?.[1] ?? null, priority: 2 },
            { name: 'first', tags: ['$initial'], test: isScript, priority: 1 },
            // Code that many screens share loads at once, instead of in sixty pieces.
            { name: 'shared', test: isSharedBehindSignIn, minShareCount: 6, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
})
