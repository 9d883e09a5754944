import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { rulePresets } from '../shared/rules/presets/presets.ts'

const document = readFileSync(fileURLToPath(new URL('../docs/firms.md', import.meta.url)), 'utf8')
const sections = new Map(document.split(/^## /m).slice(1).map((section) => [section.slice(0, section.indexOf('\n')), section]))
const spoken = (dollars: string): string => Number(dollars).toLocaleString('en-US')

describe('the document on the firms’ rules', () => {
  test('has a row for each preset, in its firm’s section, with its figures', () => {
    const rows = rulePresets.map(({ firm, plan, size, phase, set }) => ({
      firm,
      begins: `| ${plan} | ${String(Number(size) / 1000)}K | ${phase} | ${spoken(set.maxLoss?.amount ?? '')} under `,
      holds: [set.dailyLoss && `| ${spoken(set.dailyLoss.amount)} ${set.dailyLoss.breach} |`, set.profitTarget && `| ${spoken(set.profitTarget)} |`, set.payout?.cap && `cap ${spoken(set.payout.cap)}`, set.payout?.buffer && `buffer ${spoken(set.payout.buffer)}`],
    }))
    const missing = rows.filter(({ firm, begins, holds }) => {
      const row = sections.get(firm)?.split('\n').find((line) => line.startsWith(begins))
      return row === undefined || holds.some((held) => held && !row.includes(held))
    })
    expect(missing).toEqual([])
    expect(document.match(/^\| .* \| (evaluation|funded) \|/gm)).toHaveLength(rulePresets.length)
  })
  test('names every source of every preset', () => {
    const unnamed = rulePresets.flatMap(({ firm, facts }) => facts.filter(({ source }) => !sections.get(firm)?.includes(`](${source})`)).map(({ source }) => source))
    expect(unnamed).toEqual([])
  })
})
