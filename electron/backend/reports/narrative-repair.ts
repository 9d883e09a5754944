import { readAnswer, type AnswerPassage } from '#shared/reports/answer.ts'
import { groundAnswer, groundNarrative, replacePassages, failedPassages, type Grounded } from '#shared/reports/grounding.ts'
import type { Citable } from '#shared/reports/references.ts'
import type { ModelAnswer, ModelMessage } from './model-client.ts'
import { formatMessages, repairMessages, type PromptMessage } from './prompt.ts'

// Reasoning models print their thoughts before the answer, some without the opening tag.
const thoughts = /^[\s\S]*?<\/think(?:ing)?>|^\s*<think(?:ing)?>[\s\S]*$/

/** The answer without the model's thoughts before it; empty if it broke off within them. */
export const withoutThoughts = (answer: string): string => answer.replace(thoughts, '').trim()

/** A model's text, the facts that it may cite, and how to ask the model again. */
export type RepairInput = { readonly text: string; readonly citable: Citable; readonly messages: readonly PromptMessage[]; readonly ask: (messages: readonly ModelMessage[]) => Promise<ModelAnswer> }

/** The checked text. `second` is the second answer, null if none was needed. */
export type RepairResult = { readonly grounded: Grounded; readonly second: ModelAnswer | null }

/**
 * Checks a text and asks the model once more if needed: for the right format, or for the passages that failed the check. A new
 * passage replaces the old one only if less of it fails.
 */
export const checkAndRepair = async ({ text, citable, messages, ask }: RepairInput): Promise<RepairResult> => {
  const answer = readAnswer(text)
  if (answer === null) {
    const second = await ask(formatMessages(messages, text))
    const reformatted = readAnswer(withoutThoughts(second.text))
    return { grounded: reformatted === null ? groundNarrative(text, citable) : groundAnswer(reformatted, citable), second }
  }
  const failed = failedPassages(answer, citable)
  if (failed.length === 0) return { grounded: groundAnswer(answer, citable), second: null }
  const second = await ask(repairMessages(messages, text, failed))
  const rewritten = readAnswer(withoutThoughts(second.text)) ?? []
  // With another number of passages there is no telling which replaces which.
  const repaired = new Map(rewritten.length === failed.length ? failed.flatMap(({ index }, at): [number, AnswerPassage][] => (rewritten[at] === undefined ? [] : [[index, rewritten[at]]])) : [])
  return { grounded: groundAnswer(replacePassages(answer, repaired, citable), citable), second }
}
