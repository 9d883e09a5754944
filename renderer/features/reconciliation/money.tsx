import { classNames } from '#renderer/lib/class-names.ts'
import type { Decimal } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'

/** What nobody told. */
export const untold = '–'

/** An amount in cents, with its sign where it is a gain or loss; a dash where nobody told it. */
export const Money = ({ value, signed = false }: { value: Decimal | null; signed?: boolean }) => {
  const format = useFormat()
  if (value === null) return <span className="text-faint">{untold}</span>
  return <>{signed ? format.signedMoney(value) : format.money(value)}</>
}

/** Fillbook's figure less the broker's: quiet where it is zero to the cent, red with its sign where it is not. */
export const Difference = ({ value }: { value: string | null }) => {
  const format = useFormat()
  if (value === null) return <span className="text-faint">{untold}</span>
  return <span className={classNames(Number(value) === 0 ? 'text-gain' : 'font-medium text-loss')}>{format.signedMoney(value)}</span>
}
