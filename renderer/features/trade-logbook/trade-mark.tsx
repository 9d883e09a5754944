import { Badge } from '#renderer/ui/badge.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { CircleHelp, CloudOff, FileText, Landmark, PencilLine, Table2, TriangleAlert, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { LogRow } from './use-log-rows.ts'
import { WarningWords } from './warning-words.tsx'
import type { FillPairRecord, TradeRecord } from '#shared/api/records.ts'

/** Says where the multiplier and the fees of a trade came from. */
const SourceWords = ({ shown }: { shown: FillPairRecord | TradeRecord }) => {
  const { t } = useTranslation('trade-logbook')
  return (
    <>
      {t(`multiplier-from.${shown.multiplierSource}`)} {t(`fee-from.${shown.feeSource}`)}
    </>
  )
}

// The mark is in a row with its own clicks and keys, and the trade's dialog has its text too.
const outOfRow = { tabIndex: -1, onClick: (event: { stopPropagation: () => void }) => { event.stopPropagation() } }

const icons = { broker: Landmark, file: FileText, user: UserRound, table: Table2, unknown: CircleHelp, entered: PencilLine } as const

// A narrow window has room for the sign only; screen readers still read the word.
const roomyOnly = 'max-xl:sr-only'

/** Where a row's figures came from, and whether something about them is uncertain. */
export const TradeMark = ({ row }: { row: LogRow }) => {
  const { t } = useTranslation('trade-logbook')
  const { warnings, multiplierSource } = row.shown
  const byHand = row.shown.origin === 'manual'
  const Icon = icons[multiplierSource]
  if (row.unsaved) {
    return (
      <Tooltip text={t('unsaved-text')}>
        <button type="button" className="align-middle" {...outOfRow}>
          <Badge tone="warn">
            <CloudOff aria-hidden />
            <span className="max-2xl:sr-only">{t('unsaved')}</span>
          </Badge>
        </button>
      </Tooltip>
    )
  }
  if (warnings.length > 0) {
    return (
      <Popover
        label={t('warnings', { count: warnings.length })}
        align="end"
        trigger={
          <button type="button" title={t('warnings', { count: warnings.length })} className="align-middle" {...outOfRow}>
            <Badge tone="warn">
              <TriangleAlert aria-hidden />
              <span className={roomyOnly}>{t('check')}</span>
            </Badge>
          </button>
        }
      >
        <div role="presentation" className="flex flex-col gap-3" onClick={outOfRow.onClick} onKeyDown={(event) => { event.stopPropagation() }}>
          <WarningWords shown={row.shown} />
          <p className="text-sm text-muted">
            <SourceWords shown={row.shown} />
          </p>
        </div>
      </Popover>
    )
  }
  return (
    <Tooltip text={<SourceWords shown={row.shown} />}>
      <button type="button" className="inline-flex items-center gap-1 align-middle text-sm text-faint [&_svg]:size-3.5" {...outOfRow}>
        {byHand ? <PencilLine aria-hidden /> : <Icon aria-hidden className="xl:hidden" />}
        <span className={roomyOnly}>{byHand ? t('by-hand') : t(`source.${multiplierSource}`)}</span>
      </button>
    </Tooltip>
  )
}
