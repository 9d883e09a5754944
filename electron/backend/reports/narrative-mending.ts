import { groundNarrative, mendNarrative, passagesToMend, type Grounded, type Known } from '#shared/reports/grounding.ts'
import type { ModelAnswer, ModelMessage } from './model-client.ts'
import { mendedIn, messagesToMend, type PromptMessage } from './prompt.ts'

// Some models tell what they think before they answer, and some leave out where that begins.
const thoughts = /^[\s\S]*?<\/think(?:ing)?>|^\s*<think(?:ing)?>[\s\S]*$/

/** An answer without what its model thought aloud before it; of one that broke off within its thoughts nothing. */
export const withoutThoughts = (answer: string): string => answer.replace(thoughts, '').trim()

/** A text, what it was written from, and how its writer is asked again. */
export type Mending = { readonly text: string; readonly known: Known; readonly messages: readonly PromptMessage[]; readonly ask: (said: readonly ModelMessage[]) => Promise<ModelAnswer> }

/** The checked text; `again` is the second answer, null where none was needed. */
export type Mended = { readonly grounded: Grounded; readonly again: ModelAnswer | null }

/** Checks a text, and asks once more for the passages that were not proved. What comes takes their place where less of it stays unproved; what fails then changes nothing. */
export const checkedAndMended = async ({ text, known, messages, ask }: Mending): Promise<Mended> => {
  const failed = passagesToMend(text, known)
  if (failed.length === 0) return { grounded: groundNarrative(text, known), again: null }
  const again = await ask(messagesToMend(messages, text, failed))
  return { grounded: groundNarrative(mendNarrative(text, mendedIn(withoutThoughts(again.text)), known), known), again }
}
