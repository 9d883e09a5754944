import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

const { rematched, dismissRematched } = ownDataRoutes

/** Says which accounts came to other figures once positions were matched across midnight, until the user has read it. */
export const RematchedNote = () => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const client = useQueryClient()
  const { data } = useQuery(apiQuery(rematched))
  const { mutate, isPending } = useMutation({ mutationFn: () => callApi(dismissRematched), onSettled: () => invalidateRoutes(client, rematched) })
  if (data === undefined || data.accounts.length === 0) return null
  return (
    <Notice
      className="shrink-0"
      action={
        <Button variant="link" size="sm" busy={isPending} onClick={() => { mutate() }}>
          {t('rematched-dismiss')}
        </Button>
      }
    >
      <p>{t('rematched')}</p>
      <ul className="mt-1 text-muted">
        {data.accounts.map(({ name, currency, pairsBefore, netBefore, pairs, net }) => (
          <li key={`${name} ${currency}`}>
            {t('rematched-account', { account: name, before: format.fullMoney(netBefore, currency), now: format.fullMoney(net, currency), pairsBefore: format.count(pairsBefore), pairs: format.count(pairs) })}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
