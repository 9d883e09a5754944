import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ruler } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasteStops } from './paste-stops.tsx'
import { stopChanges, stopRows, worthOf, type StopChange, type StopDraft, type StopDrafts, type StopRow } from './stop-rows.ts'

const { defaultStops, setDefaultStops } = ownDataRoutes
const none: StopDrafts = new Map()

/** The assumed stop of trades without one, by product; several are edited together and saved at once. */
export const StopsSection = () => {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const words = useProblemText()
  const client = useQueryClient()
  const [drafts, setDrafts] = useState(none)
  const stops = useQuery(apiQuery(defaultStops))
  const choices = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const { mutate, isPending, error, data: saved, variables, reset } = useMutation({
    mutationFn: (changes: StopChange[]) => callApi(setDefaultStops, { body: { stops: changes } }),
    onSuccess: async () => {
      await invalidateRoutes(client, defaultStops, statisticsRoutes.statistics)
      setDrafts(none)
    },
  })

  const failure = stops.data === undefined ? stops.error : choices.data === undefined ? choices.error : null
  const rows = stops.data === undefined || choices.data === undefined ? null : stopRows(stops.data.stops, drafts, choices.data.symbols)
  const changes = rows === null ? [] : stopChanges(rows)
  const edit = (added: StopDrafts): void => {
    reset()
    setDrafts(new Map([...drafts, ...added]))
  }
  return (
    <Card title={t('stops')} note={t('stops-note')} actions={rows !== null && <PasteStops onRead={edit} />}>
      {failure !== null ? (
        <ErrorState failure={failure} onRetry={() => { void stops.refetch(); void choices.refetch() }} />
      ) : (
        <form
          noValidate
          aria-label={t('stops')}
          onSubmit={(event) => {
            event.preventDefault()
            if (changes !== null && changes.length > 0) mutate(changes)
          }}
        >
          <p className="max-w-3xl px-4 py-3 text-muted">{t('stops-text')}</p>
          {rows?.length === 0 ? (
            <EmptyState Icon={Ruler} title={t('no-stops')} text={t('no-stops-text')} className="border-t border-hairline" />
          ) : (
            <>
              <div className="overflow-x-auto border-t border-hairline">
                <Table>
                  <thead>
                    <tr>
                      <HeaderCell className="w-full">{t('product')}</HeaderCell>
                      <HeaderCell end>{t('distance')}</HeaderCell>
                      <HeaderCell>{t('unit')}</HeaderCell>
                      <HeaderCell end>{t('at-risk')}</HeaderCell>
                    </tr>
                  </thead>
                  <tbody>{rows === null ? <SkeletonRows rows={6} columns={4} figures={3} /> : rows.map((row) => <StopTableRow key={row.product} row={row} onEdit={(draft) => { edit(new Map([[row.product, draft]])) }} />)}</tbody>
                </Table>
              </div>
              <div className="sticky -bottom-4.5 flex flex-wrap items-center gap-2 rounded-b-lg border-t border-hairline bg-surface px-4 py-3">
                {error !== null && (
                  <Notice tone="error" className="w-full">
                    {words(error)}
                  </Notice>
                )}
                <Button type="submit" busy={isPending} disabled={changes === null || changes.length === 0}>
                  {t('save')}
                </Button>
                <Button variant="ghost" disabled={isPending || drafts.size === 0} onClick={() => { reset(); setDrafts(none) }}>
                  {t('discard')}
                </Button>
                <span role="status" className="text-sm text-muted">
                  {changes === null ? t('stops-wrong') : changes.length > 0 ? t('stops-changed', { count: changes.length, shown: format.count(changes.length) }) : saved !== undefined && t('stops-saved', { count: variables.length, shown: format.count(variables.length) })}
                </span>
              </div>
            </>
          )}
        </form>
      )}
    </Card>
  )
}

/** The default stop of one product, and the loss per contract. */
const StopTableRow = ({ row, onEdit }: { row: StopRow; onEdit: (draft: StopDraft) => void }) => {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const noteId = useId()
  const { product, distance, unit, changed, problem } = row
  const worth = worthOf(product, row)
  return (
    <tr>
      <Cell className="font-medium">
        {product}
        {changed && <span className="ml-2 text-sm font-normal text-accent">{t('changed')}</span>}
      </Cell>
      <Cell end className="py-1">
        <Input
          aria-label={t('distance-of', { product })}
          aria-describedby={problem === null ? undefined : noteId}
          aria-invalid={problem === null ? undefined : true}
          inputMode="decimal"
          autoComplete="off"
          maxLength={26}
          value={distance}
          placeholder={t('none')}
          onChange={({ target }) => { onEdit({ distance: target.value, unit }) }}
          className="h-7! w-24! text-right tabular-nums"
        />
        {problem !== null && (
          <p id={noteId} role="alert" className="text-sm text-loss">
            {t(`problem.${problem}`)}
          </p>
        )}
      </Cell>
      <Cell>
        <Segmented
          label={t('unit-of', { product })}
          value={unit}
          onChange={(next) => { onEdit({ distance, unit: next }) }}
          options={[
            { value: 'ticks', label: t('ticks') },
            { value: 'points', label: t('points') },
          ]}
          className="align-middle"
        />
      </Cell>
      <Cell end quiet>
        {worth === null ? t('none') : t('per-contract', { amount: format.money(worth.amount), currency: worth.currency })}
      </Cell>
    </tr>
  )
}
