import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Progress } from '#renderer/ui/progress.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { historyRoutes, type LoginHistory } from '#shared/api/history.ts'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'

const needsAnswer: readonly LoginHistory['state'][] = ['offered', 'running', 'waiting', 'stopped']

/** Offers to fetch each login's history from the broker, and shows the progress. When the user asks for it (`asked` counts how often), it shows even without a task, and takes the focus. It waits with the offer until `ready`, never with what is under way. */
export const HistoryCard = ({ ready, asked, onClose }: { ready: boolean; asked: number; onClose: () => void }) => {
  const { t } = useTranslation('history')
  const { data: history } = useQuery(apiQuery(historyRoutes.history))
  /** Logins that the user dealt with here, whose outcome is to be seen. */
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set())
  const follow = (...ids: readonly string[]): void => { setFollowed((known) => (ids.every((id) => known.has(id)) ? known : new Set([...known, ...ids]))) }
  const running = (history?.logins ?? []).filter(({ state }) => state === 'running').map(({ loginId }) => loginId)
  useEffect(() => { follow(...running) })
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (asked > 0) card.current?.focus()
  }, [asked])
  if (history === undefined) return null
  const logins = history.logins.filter(({ loginId, state }) => (ready && (asked > 0 || needsAnswer.includes(state))) || ((state === 'running' || followed.has(loginId)) && state !== 'declined'))
  if (logins.length === 0) return null
  const settled = logins.every(({ state }) => !needsAnswer.includes(state))
  const close = (): void => {
    setFollowed(new Set())
    onClose()
  }
  return (
    <div ref={card} tabIndex={-1} className="shrink-0 rounded-lg">
      <Card
        title={t('title')}
        note={t('note')}
        actions={
          (settled || asked > 0) && (
            <Button variant="ghost" size="icon" className="-mr-2" aria-label={t('close')} onClick={close}>
              <X aria-hidden />
            </Button>
          )
        }
      >
        <ul aria-label={t('logins')} className="divide-y divide-hairline">
          {logins.map((login) => (
            <LoginRow key={login.loginId} login={login} suggestedSince={history.suggestedSince} onFollow={() => { follow(login.loginId) }} />
          ))}
        </ul>
      </Card>
    </div>
  )
}

const LoginRow = ({ login, suggestedSince, onFollow }: { login: LoginHistory; suggestedSince: string; onFollow: () => void }) => {
  const { t } = useTranslation('history')
  const words = useProblemText()
  const [typed, setTyped] = useState(login.since ?? suggestedSince)
  const { mutate, isPending } = useHistoryRequest(login.loginId, (failure) => { toast({ title: t('failed'), text: words(failure), tone: 'error' }) })
  const isWhole = login.wholeThrough !== null && login.since !== null && login.since <= typed
  const start = (): void => {
    onFollow()
    mutate({ do: 'start', since: typed })
  }
  return (
    <li className="flex flex-wrap items-end gap-x-6 gap-y-3 px-4 py-3">
      <div className="min-w-72 grow basis-96">
        <p>
          <span className="font-medium break-words">{login.loginName}</span>
          <span className="ml-2 text-sm text-faint">{t('accounts', { count: login.accounts.length })}</span>
        </p>
        <Standing login={login} />
      </div>
      {login.state === 'running' ? (
        <Button variant="outline" disabled={isPending} onClick={() => { mutate({ do: 'stop' }) }}>
          {t('stop')}
        </Button>
      ) : (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            start()
          }}
        >
          <Field label={t('since')}>{(field) => <Input {...field} type="date" required min="2015-01-01" max={new Date().toISOString().slice(0, 10)} value={typed} onChange={(event) => { setTyped(event.target.value) }} className="w-36" />}</Field>
          <Button type="submit" variant={login.state === 'done' ? 'outline' : 'default'} busy={isPending} disabled={isWhole}>
            {t(`start.${login.state}`)}
          </Button>
          {(login.state === 'offered' || login.state === 'stopped' || login.state === 'waiting') && (
            <Button variant="outline" disabled={isPending} onClick={() => { mutate({ do: login.state === 'waiting' ? 'stop' : 'decline' }) }}>
              {t(login.state === 'waiting' ? 'stop' : 'not-now')}
            </Button>
          )}
        </form>
      )}
    </li>
  )
}

const Standing = ({ login }: { login: LoginHistory }) => {
  const { t } = useTranslation('history')
  const format = useFormat()
  const { state, trouble, notGiven, wholeThrough } = login
  if (state === 'running') return <Running login={login} />
  return (
    <div className="mt-1 flex max-w-3xl flex-col gap-2">
      <p className="text-muted">{t(`state.${state}`)}</p>
      {trouble !== null && <Notice tone="warn">{t(`trouble.${trouble}`)}</Notice>}
      {state !== 'offered' && state !== 'declined' && state !== 'refused' && <FetchedCounts login={login} />}
      {wholeThrough !== null && <p className="text-muted">{t('whole', { day: format.fullDay(wholeThrough) })}</p>}
      {state === 'done' && notGiven.length > 0 && <p className="text-warn">{t('not-given', { accounts: notGiven.join(', ') })}</p>}
      {(state === 'refused' || notGiven.length > 0) && (
        <Button asChild variant="link" className="self-start">
          <Link to={paths.import}>{t('import')}</Link>
        </Button>
      )}
    </div>
  )
}

const Running = ({ login: { progress, ...login } }: { login: LoginHistory }) => {
  const { t } = useTranslation('history')
  const format = useFormat()
  return (
    <div className="mt-1.5 flex flex-col gap-1.5" role="status">
      <p className="text-muted proportional-nums">
        {progress === null ? t('beginning') : t('asking', { account: progress.account, from: format.fullDay(progress.from), to: format.fullDay(progress.to) })}
      </p>
      <div className="flex items-center gap-2.5">
        <Progress value={progress === null ? 0 : progress.done / progress.total} label={t('progress')} className="max-w-96 grow" />
        {progress !== null && <span className="text-sm text-muted">{t('windows', { done: format.count(progress.done), total: format.count(progress.total) })}</span>}
      </div>
      <FetchedCounts login={login} />
    </div>
  )
}

const FetchedCounts = ({ login: { imported, since } }: { login: Pick<LoginHistory, 'imported' | 'since'> }) => {
  const { t } = useTranslation('history')
  const format = useFormat()
  if (imported.fills === 0) return null
  const counts = (['fills', 'pairs', 'trades'] as const).map((what) => t(`count.${what}`, { count: imported[what], shown: format.count(imported[what]) })).join(' · ')
  return <p className="text-sm">{since === null ? t('brought', { counts }) : t('brought-since', { counts, day: format.fullDay(since) })}</p>
}

const { startHistory, stopHistory, declineHistory } = historyRoutes

/** What the user can do about the past of one login. */
type HistoryRequest = { readonly do: 'start'; readonly since: string } | { readonly do: 'stop' | 'decline' }

/** Starts, stops or declines the history of a login. */
const useHistoryRequest = (loginId: string, onFailure: (failure: unknown) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (request: HistoryRequest) => {
      if (request.do === 'start') return callApi(startHistory, { body: { loginId, since: request.since } })
      return callApi(request.do === 'stop' ? stopHistory : declineHistory, { body: { loginId } })
    },
    onError: onFailure,
    onSettled: () => invalidateRoutes(client, historyRoutes.history),
  })
}
