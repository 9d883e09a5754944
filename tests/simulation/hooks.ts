import { registerHooks } from 'node:module'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { plantOf } from './plants.ts'

/**
 * What the product imports for time and for the network is replaced as it is loaded, so that no line of the product knows of the
 * simulation: `ws` by sockets in this process, `node:timers/promises` by the world's clock. PLANT names a fault to plant; see `plants.ts`.
 */
const replaced: Readonly<Record<string, string>> = {
  ws: new URL('./virtual-socket.ts', import.meta.url).href,
  'node:timers/promises': new URL('./virtual-timers.ts', import.meta.url).href,
}

const plant = plantOf(process.env['PLANT'] ?? null)
const root = new URL('../../', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => {
    const url = replaced[specifier]
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
  load: (url, context, next) => {
    const changes = plant === null ? [] : plant.changes.filter(({ file }) => url === root + file)
    if (changes.length === 0) return next(url, context)
    let source = readFileSync(fileURLToPath(url), 'utf8')
    for (const { file, find, replace } of changes) {
      const places = source.split(find).length - 1
      if (places !== 1) throw new Error(`Plant ${plant?.name ?? ''}: its text stands ${String(places)} times in ${file}`)
      source = source.replace(find, () => replace)
    }
    return { format: 'module-typescript', source, shortCircuit: true }
  },
})
