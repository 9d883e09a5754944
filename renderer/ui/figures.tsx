import { classNames } from '#renderer/lib/class-names.ts'
import { toneOf, type Decimal } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'

const inks = { gain: 'text-gain', loss: 'text-loss', even: 'text-muted' } as const

/** A gain or loss with its sign and color, in cents. */
export const Pnl = ({ value, className }: { value: Decimal; className?: string }) => {
  const format = useFormat()
  return <span className={classNames(inks[toneOf(value)], className)}>{format.signedMoney(value)}</span>
}
