import { monogram } from '#renderer/lib/monogram.ts'
import { Monogram } from './badge.tsx'
import type { SelectOption } from './select.tsx'

/** A firm as an option of a select, with its mark. */
export const firmOption = <Firm extends string>(firm: Firm): SelectOption<Firm> => ({ value: firm, label: firm, mark: <Monogram letters={monogram(firm)} /> })
