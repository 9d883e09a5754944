import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A self-contained page: its script and its style are inline, and its policy allows these two by their hashes, and nothing else. */
const oneFile: Plugin = {
  name: 'fillbook:one-file',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const parts = Object.values(bundle)
      const page = parts.find(({ fileName }) => fileName === 'index.html')
      const script = parts.find((part) => part.type === 'chunk')?.code.replaceAll('</script', String.raw`<\/script`).trim()
      const style = parts.find((part) => part.type === 'asset' && part.fileName.endsWith('.css'))
      if (page?.type !== 'asset' || style?.type !== 'asset' || script === undefined || parts.length !== 3) throw new Error('The page of Diagnostics is not one page, one script and one style')
      const css = String(style.source).trim()
      const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(css)}; base-uri 'none'; form-action 'none'`
      const bare = String(page.source).replace(/\s*<script[^>]*><\/script>/g, '').replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
      page.source = bare
        .replace('<meta charset="utf-8" />', () => `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <style>${css}</style>`)
        .replace('</body>', () => `<script>${script}</script>\n  </body>`)
      for (const part of parts) if (part !== page) Reflect.deleteProperty(bundle, part.fileName)
    },
  },
}

/** Builds the page of the Diagnostics window into the file `index.html` of `folder`. */
export const diagnosticsPage = (folder: string): InlineConfig => ({
  configFile: false,
  root: fileURLToPath(new URL('../electron/desktop/diagnostics-page', import.meta.url)),
  base: './',
  logLevel: 'warn',
  plugins: [oneFile],
  build: {
    outDir: folder,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    // Otherwise the bundler leaves the style out of a page with a classic script.
    cssCodeSplit: false,
    rollupOptions: { output: { format: 'iife' } },
  },
})
