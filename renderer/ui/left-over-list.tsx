import { apiQuery } from '#renderer/lib/api.ts'
import { useLeftOver, useSettleLeftOver } from '#renderer/lib/left-over.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import type { LeftOverNote } from '#shared/api/left-over.ts'
import { picturePath } from '#shared/api/pictures.ts'
import { pictureName } from '#shared/mirror/picture.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'
import { AskButtons, Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'
import { Select } from './select.tsx'

/** Annotations of gone fill pairs of a day, or of all days, with the possible actions; nothing if there are none. */
export const LeftOverList = ({ tradingDay }: { tradingDay: string | null }) => {
  const { t } = useTranslation('left-over')
  const words = useProblemText()
  const notes = useLeftOver().filter((note) => tradingDay === null || note.tradingDay === tradingDay)
  const settle = useSettleLeftOver()
  if (notes.length === 0) return null
  return (
    <section aria-label={t('title')} className="flex flex-col gap-2">
      <h3 className="font-semibold">{t('title')}</h3>
      <p className="text-sm text-muted">{t('text')}</p>
      {settle.failure !== null && <Notice tone="error">{words(settle.failure)}</Notice>}
      <ul className="flex flex-col gap-2">
        {notes.map((note) => (
          <LeftOver key={note.id} note={note} settle={settle} />
        ))}
      </ul>
    </section>
  )
}

const LeftOver = ({ note, settle }: { note: LeftOverNote; settle: ReturnType<typeof useSettleLeftOver> }) => {
  const { t } = useTranslation('left-over')
  const format = useFormat()
  const [asking, setAsking] = useState(false)
  const { symbol, side, qty, exitTime, account, tradingDay, notes, tags, stop, removal, pairId } = note
  const pictures = [[note.screenshot, note.screenshotHeadline], [note.screenshot2, note.screenshot2Headline]].filter((one) => one.join('') !== '')
  return (
    <li className="flex flex-col gap-1.5 rounded-md border border-line bg-raised px-3 py-2">
      <p className="text-sm text-muted">
        {symbol === null || side === null || qty === null ? t('trade-unknown', { day: format.fullDay(tradingDay), account }) : t(`trade.${side}`, { qty: format.count(qty), symbol, account, at: exitTime === null ? format.fullDay(tradingDay) : format.fullDateTime(exitTime) })}
      </p>
      {notes !== '' && <p className="break-words whitespace-pre-wrap">{notes}</p>}
      {tags.length > 0 && (
        <p className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
      {stop !== null && <p className="tabular-nums">{t('stop', { price: format.price(stop) })}</p>}
      {pictures.map(([name = '', headline = '']) => (
        <figure key={`${name} ${headline}`} className="flex flex-col gap-1">
          {pictureName.safeParse(name).success && <img src={`${picturePath}?${new URLSearchParams({ name }).toString()}`} alt={headline === '' ? t('picture') : headline} className="max-h-32 self-start rounded-md border border-line object-contain" />}
          {headline !== '' && <figcaption className="text-sm text-muted">{headline}</figcaption>}
        </figure>
      ))}
      {removal && <p className="text-sm text-warn">{t('removal')}</p>}
      <div className="flex flex-wrap items-center gap-2 pt-1">
        {removal && pairId !== null ? (
          <Button variant="outline" size="sm" disabled={settle.busy} onClick={() => { settle.move(note.id, pairId) }}>
            {t('remove-whole')}
          </Button>
        ) : (
          <MoveTo note={note} busy={settle.busy} onMove={(id) => { settle.move(note.id, id) }} />
        )}
        <Button variant="ghost" size="sm" disabled={settle.busy} onClick={() => { setAsking(true) }}>
          {t('discard')}
        </Button>
      </div>
      {asking && (
        <Dialog
          open
          onClose={() => { setAsking(false) }}
          title={t('discard-title')}
          description={t(removal && notes === '' ? 'discard-removal' : 'discard-text')}
          width="sm"
          footer={<AskButtons cancel={t('keep')} onCancel={() => { setAsking(false) }} confirm={t('discard')} variant="destructive" onClick={() => { setAsking(false); settle.discard(note.id) }} />}
        />
      )}
    </li>
  )
}

const mostPairs = 200

const MoveTo = ({ note, busy, onMove }: { note: LeftOverNote; busy: boolean; onMove: (pairId: string) => void }) => {
  const { t } = useTranslation('left-over')
  const format = useFormat()
  const query = { from: note.tradingDay, to: note.tradingDay, limit: mostPairs }
  const { data } = useQuery(apiQuery(journalRoutes.pairPage, { query }))
  const pairs = data?.rows ?? []
  if (data !== undefined && pairs.length === 0) return <span className="text-sm text-muted">{t('no-trades')}</span>
  return (
    <Select
      value={undefined}
      placeholder={t('move')}
      aria-label={t('move')}
      disabled={busy || data === undefined}
      onChange={onMove}
      options={pairs.map(({ id, side, qty, symbol, account, exitTime }) => ({ value: id, label: t(`trade.${side}`, { qty: format.count(qty), symbol, account, at: format.clock(exitTime) }) }))}
    />
  )
}
