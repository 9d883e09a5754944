import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { PublicFrame } from '#renderer/ui/public-frame.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ApiFailure, failureOf } from '#renderer/lib/api.ts'

/** The third-party software in the program, each with its license text; open to everyone. */
export const LicensesPage = () => {
  const { t } = useTranslation('licenses')
  const { data, error, refetch } = useQuery(licensesQuery)
  return (
    <PublicFrame>
      <DocumentTitle shows={t('title')} />
      <div className="mx-auto max-w-6xl px-5 py-8 max-sm:px-4">
        <h1 className="text-headline font-semibold tracking-[-0.015em]">{t('title')}</h1>
        <p className="mt-2 max-w-3xl text-pretty text-muted">{t('lead')}</p>
        <p className="mt-1 max-w-3xl text-sm text-pretty text-faint">{t('runtime')}</p>
        {error !== null ? <ErrorState failure={error} onRetry={() => void refetch()} /> : data === undefined ? <Skeleton className="mt-6 h-96" /> : <Packages {...data} />}
      </div>
    </PublicFrame>
  )
}

const Packages = ({ packages, texts }: Licenses) => {
  const { t } = useTranslation('licenses')
  return (
    <section aria-label={t('packages', { count: packages.length })} className="mt-6 max-w-4xl">
      <h2 className="text-sm font-medium text-muted">{t('packages', { count: packages.length })}</h2>
      <ul className="mt-1.5 divide-y divide-line border-y border-line">
        {packages.map(({ name, version, license, text }) => (
          <li key={`${name} ${version}`}>
            <details className="group">
              <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 rounded-sm py-1.5 hover:bg-surface">
                <ChevronRight aria-hidden className="size-4 shrink-0 text-faint group-open:rotate-90" />
                <span className="min-w-0 grow wrap-anywhere">
                  <span className="font-medium">{name}</span> <span className="text-muted tabular-nums">{version}</span>
                </span>
                <span className="shrink-0 pr-1 text-right text-sm text-muted">{license}</span>
              </summary>
              <p lang="en" translate="no" className="pt-1 pr-1 pb-4 pl-6 text-sm wrap-anywhere whitespace-pre-wrap text-muted">
                {texts[text]}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The program's packages with their licenses as SPDX expressions; `text` is the index of a package's text in `texts`. */
type Licenses = { readonly packages: readonly { readonly name: string; readonly version: string; readonly license: string; readonly text: number }[]; readonly texts: readonly string[] }

/** The licenses that the build puts beside the page; they change only with the program. */
const licensesQuery = queryOptions({
  queryKey: ['licenses'],
  staleTime: Infinity,
  queryFn: async ({ signal }): Promise<Licenses> => {
    const answer = await fetch('/licenses.json', { signal, headers: { accept: 'application/json' } }).catch((cause: unknown) => {
      if (signal.aborted) throw cause
      throw new ApiFailure(0, null)
    })
    if (!answer.ok) throw await failureOf(answer)
    return (await answer.json()) as Licenses
  },
})
