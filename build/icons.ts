import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { ensureBrowser, isRoot } from './ensure-browser.ts'
import { icnsKinds, icnsOf, icoOf, type Png } from './icon-files.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Where the pictures made from `icon.svg` are. */
export const iconsFolder = join(here, 'icons')

/** The part of the drawing to cut out, and its one color if it is monochrome. */
type View = { readonly box: string; readonly ink: string | null }

const macOs: View = { box: '0 0 1024 1024', ink: null }
const elsewhere: View = { box: '96 96 832 832', ink: null }
// The logo alone, as large as a tray allows.
const tray = (ink: string): View => ({ box: '256 256 512 512', ink })
// Below this size the outlines of the bars would merge.
const largestSolid = 32
const accent = '#6ea8fe'
const trayInks = { light: '#12161c', dark: '#e8ecf1' } as const

const render = async (page: Page, svg: string, { box, ink }: View, size: number): Promise<Png> => {
  const drawn = svg.replace(/viewBox="[^"]*"/, `viewBox="${box}" width="${String(size)}" height="${String(size)}"`)
  const solid = ink !== null || size <= largestSolid ? `#mark{fill:${ink ?? accent};stroke:none}` : ''
  const style = `${ink === null ? '' : '#ground{display:none}'}${solid}`
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<!doctype html><style>html,body{margin:0;background:none}svg{display:block}${style}</style>${drawn}`)
  return { size, data: await page.screenshot({ omitBackground: true, type: 'png' }) }
}

/**
 * Every picture of the program by its path below the icon folder. `tray-dark` is for dark bars and `tray-light` for
 * light ones; macOS colors its template itself.
 */
export const drawIcons = async (): Promise<Map<string, Buffer>> => {
  const svg = await readFile(join(here, 'icon.svg'), 'utf8')
  const browser = await chromium.launch({ executablePath: ensureBrowser(), chromiumSandbox: !isRoot })
  try {
    const page = await browser.newPage({ deviceScaleFactor: 1 })
    const all = async (view: View, sizes: readonly number[]): Promise<Png[]> => {
      const made: Png[] = []
      for (const size of sizes) made.push(await render(page, svg, view, size))
      return made
    }
    const one = async (view: View, size: number): Promise<Buffer> => (await render(page, svg, view, size)).data

    const files = new Map<string, Buffer>()
    files.set('icon.icns', icnsOf(await all(macOs, [...new Set(Object.values(icnsKinds))])))
    files.set('icon.ico', icoOf(await all(elsewhere, [16, 20, 24, 32, 40, 48, 64, 256])))
    for (const { size, data } of await all(elsewhere, [16, 24, 32, 48, 64, 128, 256, 512])) files.set(`linux/${String(size)}x${String(size)}.png`, data)
    files.set('tray/trayTemplate.png', await one(tray('#000'), 16))
    files.set('tray/trayTemplate@2x.png', await one(tray('#000'), 32))
    for (const [bar, ink] of Object.entries(trayInks)) {
      files.set(`tray/tray-${bar}.ico`, icoOf(await all(tray(ink), [16, 20, 24, 32])))
      files.set(`tray/tray-${bar}.png`, await one(tray(ink), 24))
      files.set(`tray/tray-${bar}@2x.png`, await one(tray(ink), 48))
    }
    return files
  } finally {
    await browser.close()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, data] of await drawIcons()) {
    const file = join(iconsFolder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, data)
  }
}
