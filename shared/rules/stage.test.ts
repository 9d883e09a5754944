import { expect, it } from 'vitest'
import type { Past } from './day-facts.ts'
import { stageOf } from './stage.ts'

type Ends = Pick<Past, 'breach' | 'passed'>
const running: Ends = { breach: null, passed: null }
const lost: Ends = { breach: { rule: 'max-loss', tradingDay: '2026-03-03', at: null }, passed: null }
const passed: Ends = { breach: null, passed: '2026-03-02' }

it.each<[string, string | null, Ends, Parameters<typeof stageOf>[2], ReturnType<typeof stageOf>]>([
  ['an evaluation under way', 'Evaluation Account', running, null, 'evaluation'],
  ['an evaluation that was lost', 'Evaluation Account', lost, null, 'breached'],
  ['an evaluation that was passed', 'Evaluation Account', passed, null, 'passed'],
  ['an evaluation that was passed, whatever came after', 'Evaluation Account', { ...lost, ...{ passed: '2026-03-02' } }, null, 'passed'],
  ['a funded account', 'Funded Account', running, null, 'funded'],
  ['a funded account that reached a target', 'Funded Account', passed, null, 'funded'],
  ['a funded account that was lost', 'Funded Account', lost, null, 'breached'],
  ['an account without a label', null, running, null, 'evaluation'],
  ['one that its user moved', 'Evaluation Account', lost, 'funded', 'funded'],
])('%s', (_name, label, past, byHand, stage) => expect(stageOf(label, past, byHand)).toBe(stage))
