/**
 * @module-tag long
 * @module-tag nightly
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureBrowser, isRoot } from '../../build/ensure-browser.ts'
import { icnsKinds } from '../../build/icon-files.ts'
import { drawIcons, iconsFolder } from '../../build/icons.ts'

const madeFile = (path: string): Buffer => readFileSync(join(iconsFolder, path))

/** The pictures in an `.ico` or `.icns`, or the one of a `.png`, with the size that the container promises. */
const picturesIn = (path: string, data: Buffer): { size: number; data: Buffer }[] => {
  if (path.endsWith('.ico')) {
    expect([data.readUInt16LE(0), data.readUInt16LE(2)]).toEqual([0, 1])
    return Array.from({ length: data.readUInt16LE(4) }, (_, index) => {
      const entry = data.subarray(6 + 16 * index)
      return { size: entry.readUInt8(0) || 256, data: data.subarray(entry.readUInt32LE(12), entry.readUInt32LE(12) + entry.readUInt32LE(8)) }
    })
  }
  if (path.endsWith('.icns')) {
    expect([data.toString('ascii', 0, 4), data.readUInt32BE(4)]).toEqual(['icns', data.length])
    const found: { size: number; data: Buffer }[] = []
    for (let at = 8; at < data.length; at += data.readUInt32BE(at + 4)) found.push({ size: icnsKinds[data.toString('ascii', at, at + 4) as keyof typeof icnsKinds], data: data.subarray(at + 8, at + data.readUInt32BE(at + 4)) })
    return found
  }
  return [{ size: data.readUInt32BE(16), data }]
}

/** What is painted on a picture: the share of points that show, its opaque colors where they are few, the corner's opacity, and the share of points that another picture has otherwise. */
const look = (page: Page, data: Buffer, other = data) =>
  page.evaluate(
    async ([one, two]) => {
      const pointsOf = async (base64: string) => {
        const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]))
        const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
        if (!context) throw new Error('No canvas')
        context.drawImage(picture, 0, 0)
        return { width: picture.width, height: picture.height, points: context.getImageData(0, 0, picture.width, picture.height).data }
      }
      const { width, height, points } = await pointsOf(one ?? '')
      const others = (await pointsOf(two ?? '')).points
      const solid = new Set<string>()
      let [shown, off] = [0, 0]
      for (let at = 0; at < points.length; at += 4) {
        const [red, green, blue, alpha] = points.subarray(at, at + 4)
        if (alpha !== 0) shown += 1
        if (alpha === 255 && solid.size < 5) solid.add(`${String(red)} ${String(green)} ${String(blue)}`)
        // Another Chromium may round an edge otherwise.
        if (points.subarray(at, at + 4).some((value, index) => Math.abs(value - (others[at + index] ?? 0)) > 48)) off += 1
      }
      return { width, height, share: (4 * shown) / points.length, off: (4 * off) / points.length, solid: [...solid], corner: points[3] }
    },
    [data.toString('base64'), other.toString('base64')],
  )

describe('the icons', () => {
  const paths = globSync('**/*.{png,ico,icns}', { cwd: iconsFolder })
  let browser: Browser
  let page: Page
  let drawn: Map<string, Buffer>
  beforeAll(async () => {
    drawn = await drawIcons()
    browser = await chromium.launch({ executablePath: ensureBrowser(), chromiumSandbox: !isRoot })
    page = await browser.newPage()
  }, 60_000)
  afterAll(() => browser.close())

  it('are all there, and no others', () => {
    expect(paths.sort()).toEqual([...drawn.keys()].sort())
  })

  it('match the drawing: else run npm run icons', async () => {
    for (const path of paths) {
      const made = picturesIn(path, madeFile(path))
      const now = picturesIn(path, drawn.get(path) ?? Buffer.alloc(0))
      expect([path, made.map(({ size }) => size)]).toEqual([path, now.map(({ size }) => size)])
      for (const [index, { size, data }] of made.entries()) {
        const one = await look(page, data, now[index]?.data)
        expect([path, one.width, one.height]).toEqual([path, size, size])
        expect([path, size, one.off < 0.02]).toEqual([path, size, true])
        expect([path, one.corner]).toEqual([path, 0])
        expect([path, one.share > 0.12 && one.share < 0.99]).toEqual([path, true])
      }
    }
  })

  it('have the sizes that each system asks for', () => {
    const sizes = (path: string) => picturesIn(path, madeFile(path)).map(({ size }) => size)
    expect(sizes('icon.ico')).toEqual([16, 20, 24, 32, 40, 48, 64, 256])
    expect(sizes('icon.icns')).toEqual(Object.values(icnsKinds))
    expect(sizes('tray/trayTemplate.png')).toEqual([16])
    expect(sizes('tray/trayTemplate@2x.png')).toEqual([32])
    expect(sizes('tray/tray-dark.ico')).toEqual([16, 20, 24, 32])
  })

  it('are black for macOS to color, light on dark bars and dark on light ones', async () => {
    const inks = { 'tray/trayTemplate.png': '0 0 0', 'tray/trayTemplate@2x.png': '0 0 0', 'tray/tray-dark.png': '232 236 241', 'tray/tray-light.png': '18 22 28' }
    for (const [path, ink] of Object.entries(inks)) expect([path, (await look(page, madeFile(path))).solid]).toEqual([path, [ink]])
  })

  it("have the app's mark: the same bars in the drawing, the browser and the page", () => {
    const project = fileURLToPath(new URL('../..', import.meta.url))
    const bars = /<path d="([^"]+)"/g
    const barsOf = (file: string): string => [...readFileSync(join(project, file), 'utf8').matchAll(bars)].map(([, path]) => path).join('')
    expect(barsOf('build/icon.svg')).toBe(barsOf('renderer/public/favicon.svg'))
    expect(barsOf('renderer/ui/wordmark.tsx')).toBe(barsOf('build/icon.svg'))
  })
})
