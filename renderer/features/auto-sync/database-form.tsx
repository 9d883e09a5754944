import { callApi } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

const example = 'C:\\Users\\…\\Documents\\NinjaTrader 8\\db\\NinjaTrader.sqlite'

/** Connects accounts of NinjaTrader 8 by its database: first where that is, then which of its accounts. */
export const DatabaseForm = ({ onConnected }: { onConnected: () => void }) => {
  const { t } = useTranslation('auto-sync')
  const words = useProblemText()
  const format = useFormat()
  const boxId = useId()
  const [path, setPath] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const look = useMutation({
    mutationFn: (given: string | null) => callApi(brokerageRoutes.databaseAccounts, { body: given === null ? {} : { path: given } }),
    onSuccess: (found) => {
      setPath(found.path)
      setChosen(new Set(found.accounts.filter(({ simulated, elsewhere, executions }) => !simulated && !elsewhere && executions > 0).map(({ name }) => name)))
    },
  })
  const connect = useMutation({ mutationFn: () => callApi(brokerageRoutes.connectDatabase, { body: { path, accounts: [...chosen] } }), onSuccess: onConnected })
  const { mutate } = look
  // Where NinjaTrader has its usual place nothing need be typed.
  useEffect(() => { mutate(null) }, [mutate])
  const found = look.data?.path === path.trim() ? look.data : undefined
  const isTyped = look.variables !== null
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (found === undefined) mutate(path.trim())
        else connect.mutate()
      }}
    >
      <Field label={t('database.path')} hint={t('database.path-hint')}>
        {(attributes) => <Input {...attributes} autoComplete="off" maxLength={1_000} placeholder={example} value={path} onChange={(event) => { setPath(event.target.value) }} />}
      </Field>
      {look.isError && isTyped && <Notice tone="error">{words(look.error)}</Notice>}
      {found !== undefined && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm text-muted">{t('database.accounts')}</legend>
          {found.accounts.length === 0 && <p className="text-muted">{t('database.no-accounts')}</p>}
          <ul className="flex max-h-64 flex-col gap-2 overflow-y-auto">
            {found.accounts.map(({ name, simulated, elsewhere, executions, lastAt }) => (
              <li key={name} className="flex items-center gap-2.5">
                <Checkbox
                  id={`${boxId}-${name}`}
                  checked={chosen.has(name)}
                  disabled={elsewhere}
                  onChange={(wanted) => { setChosen(new Set(wanted ? [...chosen, name] : [...chosen].filter((each) => each !== name))) }}
                />
                <label htmlFor={`${boxId}-${name}`} className="min-w-0 flex-1">
                  <span className="block truncate font-medium" title={name}>{name}</span>
                  <span className="block text-sm text-muted">
                    {lastAt === null ? t('database.no-executions') : t('database.executions', { count: executions, shown: format.count(executions), time: format.fullDay(lastAt.slice(0, 10)) })}
                    {simulated && ` · ${t('database.simulated')}`}
                    {elsewhere && ` · ${t('database.elsewhere')}`}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {connect.isError && <Notice tone="error">{words(connect.error)}</Notice>}
      <Button type="submit" size="lg" busy={look.isPending || connect.isPending} disabled={path.trim() === '' || (found !== undefined && chosen.size === 0)}>
        {t(found === undefined ? 'database.look' : 'database.connect')}
      </Button>
    </form>
  )
}
