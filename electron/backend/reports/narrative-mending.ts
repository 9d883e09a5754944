import { readAnswer, type AnswerPassage } from '#shared/reports/answer.ts'
import { groundAnswer, groundNarrative, mendAnswer, passagesToMend, type Grounded } from '#shared/reports/grounding.ts'
import type { Known } from '#shared/reports/references.ts'
import type { ModelAnswer, ModelMessage } from './model-client.ts'
import { messagesForForm, messagesToMend, type PromptMessage } from './prompt.ts'

// Some models tell what they think before they answer, and some leave out where that begins.
const thoughts = /^[\s\S]*?<\/think(?:ing)?>|^\s*<think(?:ing)?>[\s\S]*$/

/** An answer without what its model thought aloud before it; of one that broke off within its thoughts nothing. */
export const withoutThoughts = (answer: string): string => answer.replace(thoughts, '').trim()

/** A text, what it was written from, and how its writer is asked again. */
export type Mending = { readonly text: string; readonly known: Known; readonly messages: readonly PromptMessage[]; readonly ask: (said: readonly ModelMessage[]) => Promise<ModelAnswer> }

/** The checked text; `again` is the second answer, null where none was needed. */
export type Mended = { readonly grounded: Grounded; readonly again: ModelAnswer | null }

/** Checks a text, and asks once more: for an answer in the form that was asked for, or for the passages that were not proved. Those take their place where less of them stays unproved; what fails then changes nothing. */
export const checkedAndMended = async ({ text, known, messages, ask }: Mending): Promise<Mended> => {
  const answer = readAnswer(text)
  if (answer === null) {
    const again = await ask(messagesForForm(messages, text))
    const second = readAnswer(withoutThoughts(again.text))
    return { grounded: second === null ? groundNarrative(text, known) : groundAnswer(second, known), again }
  }
  const failed = passagesToMend(answer, known)
  if (failed.length === 0) return { grounded: groundAnswer(answer, known), again: null }
  const again = await ask(messagesToMend(messages, text, failed))
  const second = readAnswer(withoutThoughts(again.text)) ?? []
  // Which passage stands for which nobody can tell where their number is another.
  const mended = new Map(second.length === failed.length ? failed.flatMap(({ index }, at): [number, AnswerPassage][] => (second[at] === undefined ? [] : [[index, second[at]]])) : [])
  return { grounded: groundAnswer(mendAnswer(answer, mended, known), known), again }
}
