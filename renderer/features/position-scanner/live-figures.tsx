import { classNames } from '#renderer/lib/class-names.ts'
import type { Format } from '#renderer/lib/format.ts'
import { inkOf } from '#renderer/ui/figures.tsx'
import type { LivePosition } from '#shared/api/positions.ts'
import type { TFunction } from 'i18next'
import { isOld } from './freshness.ts'

/** Texts and formats of a row, looked up once: hundreds of figures are updated with every push. */
export type Words = { readonly t: TFunction<'position-scanner'>; readonly format: Format }

type Aged = {
  readonly words: Words
  /** Null while it is fresh. */
  readonly ageMs: number | null
  /** Whether nothing of it may look fresh, whatever its age. */
  readonly dim: boolean
}

// An age without room beside its figure takes a line of its own.
const aged = 'inline-flex max-w-full flex-wrap items-baseline justify-end gap-x-1.5 leading-snug'

/** A figure's age in short; nothing while it is fresh. */
const Age = ({ words: { t, format }, ageMs }: Omit<Aged, 'dim'>) => {
  if (ageMs === null) return null
  const age = format.duration(ageMs)
  return <span className="text-xs font-normal whitespace-nowrap text-faint">{isOld(ageMs) ? t('old', { age }) : age}</span>
}

/** The last traded price, with its age if it is not fresh. */
export const LastPrice = ({ words, last, ageMs, dim }: Aged & { last: LivePosition['last'] }) =>
  last === null ? (
    <span className="text-faint">{words.t('none')}</span>
  ) : (
    <span className={aged}>
      <Age words={words} ageMs={ageMs} />{' '}
      <span className={dim || isOld(ageMs) ? 'text-faint' : 'text-ink'}>{words.format.price(last.price)}</span>
    </span>
  )

/** A gain or loss with its sign; color means that it is current, so a `dim` one has none. */
export const LivePnl = ({ words, value, dim, className }: { words: Words; value: string; dim: boolean; className?: string }) => (
  <span className={classNames(dim ? 'text-faint' : inkOf(value), className)}>{words.format.signedMoney(value)}</span>
)

/** Open P&L with its age: always for a snapshot, for prices if they are not fresh; `bare` if the age is shown elsewhere; with its `currency` if that is not the account's. */
export const OpenPnl = ({ words, open, ageMs, dim, bare = false, currency = null }: Aged & { open: LivePosition['open']; bare?: boolean; currency?: string | null }) => {
  const { t, format } = words
  if (open === null) return <span className="text-faint">{t('none')}</span>
  return (
    <span className={aged}>
      {!bare && (open.from === 'snapshot' ? <span className="text-xs font-normal whitespace-normal text-faint" title={t('snapshot-text')}>{t('snapshot', { age: format.duration(ageMs ?? 0) })}</span> : <Age words={words} ageMs={ageMs} />)}{' '}
      <LivePnl words={words} value={open.amount} dim={dim || isOld(ageMs)} className="font-medium" />
      {currency !== null && <>{' '}<span className="text-xs font-normal text-faint">{format.currencyName(currency)}</span></>}
    </span>
  )
}

/** Contracts with their side: a word beside the sign, without color. */
export const Held = ({ words: { t, format }, net, dim }: { words: Words; net: number; dim: boolean }) => (
  <span className={classNames('inline-flex items-baseline gap-1.5', dim && 'text-faint')}>
    <span className={classNames('text-sm', !dim && 'text-muted')}>{t(net > 0 ? 'long' : 'short')}</span>{' '}
    <span className="font-semibold">{format.signedWhole(net)}</span>
  </span>
)
