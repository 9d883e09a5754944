import { classNames } from '#renderer/lib/class-names.ts'
import type { Decimal } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'

/** An unknown figure. */
export const unknownFigure = '–'

/** An amount in cents, with a sign if it is a gain or loss; a dash if unknown. */
export const Money = ({ value, signed = false }: { value: Decimal | null; signed?: boolean }) => {
  const format = useFormat()
  if (value === null) return <span className="text-faint">{unknownFigure}</span>
  return <>{signed ? format.signedMoney(value) : format.money(value)}</>
}

/** Fillbook's figure minus the broker's: green if it is zero to the cent and `checked`, quiet if it is zero beside something unchecked, red with its sign otherwise. */
export const Difference = ({ value, checked }: { value: string | null; checked: boolean }) => {
  const format = useFormat()
  if (value === null) return <span className="text-faint">{unknownFigure}</span>
  const isZero = Number(value) === 0
  return <span className={classNames(!isZero ? 'font-medium text-loss' : checked ? 'text-gain' : 'text-muted')}>{format.signedMoney(value)}</span>
}
