import { classNames } from '#renderer/lib/class-names.ts'
import { toneOf, type Decimal } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'

/** The text color of a gain or a loss; `even` for zero. */
export const inkOf = (value: Decimal, even: 'text-muted' | 'text-ink' = 'text-muted'): string => ({ gain: 'text-gain', loss: 'text-loss', even })[toneOf(value)]

/** A gain or loss with its sign and color, in cents. */
export const Pnl = ({ value, className }: { value: Decimal; className?: string }) => {
  const format = useFormat()
  return <span className={classNames(inkOf(value), className)}>{format.signedMoney(value)}</span>
}
