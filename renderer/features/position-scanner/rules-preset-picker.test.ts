// @module-tag slow
import type { RulePreset } from '#shared/api/rules.ts'
import { describe, expect, test } from 'vitest'
import { narrowPresets, sizeInName } from './rules-preset-picker.tsx'

const preset = (firm: RulePreset['firm'], plan: string, size: string, phase: RulePreset['phase']): RulePreset => ({ id: `${firm} ${plan} ${size} ${phase}`, firm, plan, size, phase, set: {} as RulePreset['set'], facts: [], leftOut: [] })
const presets = [
  preset('Tradeify', 'Growth', '100000', 'evaluation'), preset('Tradeify', 'Growth', '50000', 'evaluation'), preset('Tradeify', 'Growth', '50000', 'funded'), preset('Tradeify', 'Lightning', '25000', 'funded'),
  preset('Alpha Futures', 'Standard', '50000', 'evaluation'),
]

describe('a preset is picked step by step', () => {
  test('nothing is offered beyond the firm until one is picked', () => {
    expect(narrowPresets(presets, {})).toEqual({ firms: ['Tradeify', 'Alpha Futures'], plans: [], sizes: [], phases: [], pick: { firm: undefined, plan: undefined, size: undefined, phase: undefined }, preset: null })
  })
  test('what leaves no choice is chosen', () => {
    expect(narrowPresets(presets, { firm: 'Alpha Futures' }).preset?.id).toBe('Alpha Futures Standard 50000 evaluation')
    expect(narrowPresets(presets, { firm: 'Tradeify', plan: 'Growth', size: '100000' }).preset?.phase).toBe('evaluation')
  })
  test('sizes are in order, and the picks identify the preset', () => {
    const choices = narrowPresets(presets, { firm: 'Tradeify', plan: 'Growth', size: '50000' })
    expect([choices.plans, choices.sizes, choices.phases, choices.preset]).toEqual([['Growth', 'Lightning'], ['50000', '100000'], ['evaluation', 'funded'], null])
    expect(narrowPresets(presets, { ...choices.pick, phase: 'funded' }).preset?.id).toBe('Tradeify Growth 50000 funded')
  })
  test('what does not fit another firm or plan is let go', () => {
    expect(narrowPresets(presets, { firm: 'Tradeify', plan: 'Lightning', size: '50000', phase: 'evaluation' }).pick).toEqual({ firm: 'Tradeify', plan: 'Lightning', size: '25000', phase: 'funded' })
    expect(narrowPresets(presets, { firm: 'Tradeify', plan: 'Standard', size: '50000' }).pick).toEqual({ firm: 'Tradeify', plan: undefined, size: undefined, phase: undefined })
  })
})

test('an account’s name may hold its size', () => {
  expect(['NGF-EVAL150K-104871', '50KTC-V2-1', 'TDFYSL50_100', 'APEX-77', 'LFE050K12', '12345K', '50kings'].map(sizeInName)).toEqual(['150000', '50000', undefined, undefined, '50000', undefined, undefined])
})
