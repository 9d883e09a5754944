import { expect, it } from 'vitest'
import type { Past } from './day-facts.ts'
import { stageFits, stageOf } from './stage.ts'

type Ends = Pick<Past, 'breach' | 'passed'>
const running: Ends = { breach: null, passed: null }
const lost: Ends = { breach: { rule: 'max-loss', tradingDay: '2026-03-03', at: null }, passed: null }
const passed: Ends = { breach: null, passed: '2026-03-02' }

it.each<[string, string | null, Ends, Parameters<typeof stageOf>[2], ReturnType<typeof stageOf>]>([
  ['an active evaluation', 'Evaluation Account', running, null, 'evaluation'],
  ['a breached evaluation', 'Evaluation Account', lost, null, 'breached'],
  ['a passed evaluation', 'Evaluation Account', passed, null, 'passed'],
  ['a passed evaluation, whatever happened later', 'Evaluation Account', { ...lost, passed: '2026-03-02' }, null, 'passed'],
  ['a funded account', 'Funded Account', running, null, 'funded'],
  ['a funded account that reached a target', 'Funded Account', passed, null, 'funded'],
  ['a breached funded account', 'Funded Account', lost, null, 'breached'],
  ['an account without a label', null, running, null, 'evaluation'],
  ['a stage set by the user', 'Evaluation Account', lost, 'funded', 'funded'],
])('%s', (_name, label, past, byHand, stage) => expect(stageOf(label, past, byHand)).toBe(stage))

it.each([
  ['Evaluation Account', 'evaluation', true], ['Evaluation Account', 'passed', true], ['Evaluation Account', 'breached', true], ['Evaluation Account', 'funded', false],
  ['Funded Account', 'funded', true], ['Funded Account', 'breached', true], ['Funded Account', 'evaluation', false], ['Funded Account', 'passed', false],
] as const)('a label %s at stage %s fits: %s', (label, stage, fits) => { expect(stageFits(label, stage)).toBe(fits) })
