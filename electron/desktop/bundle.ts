import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app } from 'electron'
import { z } from 'zod'

/** Paths of the running bundle. In the packed program, plain files are outside the asar archive. */
export const bundlePlaces = () => {
  const bundle = app.getAppPath()
  const resources = app.isPackaged ? process.resourcesPath : bundle
  return {
    backend: { pages: join(resources, 'pages'), migrations: join(resources, 'migrations', 'sqlite'), cloud: fileURLToPath(new URL('../../cloud/main.ts', import.meta.url)) },
    icons: join(bundle, 'icons'),
    preload: join(bundle, 'preload.cjs'),
    diagnostics: { preloadPath: join(bundle, 'diagnostics-preload.cjs'), pagePath: join(bundle, 'diagnostics', 'index.html') },
  } as const
}

const manifest = z.object({ cloud: z.url().optional() })

/** The cloud URL that the program was packed with, or undefined. */
export const packedCloudUrl = (): string | undefined => manifest.parse(JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'))).cloud
