import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

type Rgb = readonly [number, number, number]
type Color = { readonly rgb: Rgb; readonly alpha: number }

const parse = (hex: string): Color => {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16)
  return { rgb: [part(1), part(3), part(5)], alpha: hex.length === 9 ? part(7) / 255 : 1 }
}

/** The tokens that one selector sets. */
const block = (selector: string): Map<string, Color> => {
  const [, body = ''] = new RegExp(`(?:^|\\n)${selector.replace(/[.[\]]/g, String.raw`\$&`)} \\{([^}]*)\\}`).exec(css) ?? []
  return new Map([...body.matchAll(/--([a-z-]+): (#[0-9a-f]+);/g)].map(([, name = '', hex = '']) => [name, parse(hex)]))
}

const luminance = (rgb: Rgb): number => {
  const [r, g, b] = rgb.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const over = (top: Color, ground: Rgb): Rgb => ground.map((channel, at) => (top.rgb[at] ?? 0) * top.alpha + channel * (1 - top.alpha)) as unknown as Rgb
const contrast = (one: Rgb, other: Rgb): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const standard = { light: block(':root'), dark: new Map([...block(':root'), ...block('.dark')]) }
const themes = {
  ...standard,
  'light, colour-blind': new Map([...standard.light, ...block("[data-palette='colour-blind']")]),
  'dark, colour-blind': new Map([...standard.dark, ...block(".dark[data-palette='colour-blind']")]),
}

describe.each(Object.entries(themes))('%s', (_, tokens) => {
  const color = (name: string): Color => {
    const found = tokens.get(name)
    if (!found) throw new Error(`No token --${name}`)
    return found
  }
  const grounds = ['ground', 'surface', 'raised'] as const
  const below = (pairs: readonly (readonly [string, number])[], least: number): string[] => pairs.filter(([, ratio]) => ratio < least).map(([pair, ratio]) => `${pair} ${ratio.toFixed(2)}`)

  test('text holds 4.5 to 1 on every ground', () => {
    const pairs = ['ink', 'muted', 'faint', 'accent', 'gain', 'loss', 'warn'].flatMap((text) => grounds.map((ground) => [`${text} on ${ground}`, contrast(color(text).rgb, color(ground).rgb)] as const))
    expect(below(pairs, 4.5)).toEqual([])
  })
  test('text holds 4.5 to 1 on its own tint, and ink on every tint', () => {
    const pairs = ['accent', 'gain', 'loss', 'warn'].flatMap((tone) =>
      grounds.flatMap((ground) => {
        const tinted = over(color(`${tone}-tint`), color(ground).rgb)
        return [[`${tone} on its tint over ${ground}`, contrast(color(tone).rgb, tinted)], [`ink on ${tone}-tint over ${ground}`, contrast(color('ink').rgb, tinted)]] as const
      }),
    )
    expect(below(pairs, 4.5)).toEqual([])
  })
  test('the word on an accent button, under the pointer too, holds 4.5 to 1', () => {
    expect(below(['accent', 'accent-hover'].map((ground) => [ground, contrast(color('accent-ink').rgb, color(ground).rgb)] as const), 4.5)).toEqual([])
  })
  test('a line of a chart holds 3 to 1', () => {
    const pairs = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => [`side-${letter}`, contrast(color(`side-${letter}`).rgb, color('surface').rgb)] as const)
    expect(below(pairs, 3)).toEqual([])
  })
  test('the border of a field and the ring of the focus hold 3 to 1', () => {
    const pairs = ['field', 'accent'].flatMap((edge) => grounds.map((ground) => [`${edge} on ${ground}`, contrast(color(edge).rgb, color(ground).rgb)] as const))
    expect(below(pairs, 3)).toEqual([])
  })
})

test('no button changes under the pointer by a see-through layer, which nothing above measures', () => {
  expect(readFileSync(new URL('button.tsx', import.meta.url), 'utf8')).not.toMatch(/hover:(not-disabled:)?opacity/)
})
