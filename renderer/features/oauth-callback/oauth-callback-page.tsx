import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { Wordmark } from '#renderer/ui/wordmark.tsx'
import { accountsAnswer, brokerageRoutes, exchangeAnswer, type ReturnTo } from '#shared/api/brokerage.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { callbackQuery, connect, oncePerCode, type ConnectCalls, type Connected } from './connect.ts'

const product = 'Tradovate'
const tradesReloadAfterMs = 1_200

const places: Record<ReturnTo, string> = { autosync: paths.autoSync, tradecopier: paths.tradeCopier }

/** The return from the brokerage: finishes the connection with a message, and continues to where it began, whatever the outcome. */
export const OauthCallbackPage = () => {
  const { t } = useTranslation('oauth-callback')
  const words = useProblemText()
  const client = useQueryClient()
  const navigate = useNavigate()
  const userId = useUserId()
  const [params] = useSearchParams()

  const reloadTrades = (): void => {
    const { pairPage, tradePage } = journalRoutes
    void invalidateRoutes(client, pairPage, tradePage, statisticsRoutes.statistics, recordRoutes.getTrades)
  }
  const leave = useEffectEvent(({ returnTo, failure, accounts }: Connected) => {
    void invalidateRoutes(client, recordRoutes.getFinances, brokerageRoutes.connectedAccounts, syncRoutes.syncState)
    void navigate(places[returnTo], { replace: true })
    if (failure === null) {
      toast({ title: t('connected', { count: accounts }), text: t('syncing'), stays: true })
      setTimeout(reloadTrades, tradesReloadAfterMs)
    } else if (failure === 'no-code') toast({ title: t('failed'), text: t('no-code'), tone: 'error' })
    else if (failure === 'consent-denied') toast({ title: t('failed'), text: t('denied'), tone: 'error' })
    else toast({ title: t('failed'), text: words(failure.cause), tone: 'error' })
  })

  const query = params.toString()
  useEffect(() => {
    let left = false
    const brought = callbackQuery(new URLSearchParams(query))
    void oncePerCode(brought, () => connect(brought, connectCalls(userId))).then((outcome) => {
      if (!left) leave(outcome)
    })
    return () => {
      left = true
    }
  }, [query, userId])

  return (
    <main className="grid h-screen place-items-center bg-ground">
      <title>{t('title')}</title>
      <div role="status" className="flex flex-col items-center gap-4 px-6 text-center">
        <Wordmark large moving />
        <h1 className="text-muted">{t('connecting', { product })}</h1>
      </div>
    </main>
  )
}

const { tradovate, endConsent } = brokerageRoutes

/** The API calls that finish a connection of this user; throws 'No authenticated user' if no one is signed in. */
const connectCalls = (userId: string): ConnectCalls => {
  if (userId === '') throw new Error('No authenticated user')
  return {
    exchange: async (code, state) => exchangeAnswer.parse(await callApi(tradovate, { body: { userId, code, state: state ?? '' } })).returnTo,
    end: async (state) => (await callApi(endConsent, { body: state === null ? {} : { state } })).returnTo,
    accounts: async () => accountsAnswer.parse(await callApi(tradovate, { body: { userId, action: 'account' } })).accounts,
    finances: async () => (await callApi(recordRoutes.getFinances, { query: { userId } })).finances,
    saveFinance: (finance) => callApi(recordRoutes.addFinance, { body: { userId, finance } }),
  }
}
