import { apiQuery, callApi, invalidateRoutes, type ApiFailure } from '#renderer/lib/api.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { importRoutes, type ImportPreviewAnswer, type ImportProgress, type SettledCounts, type UploadToRead } from '#shared/api/imports.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { importBegins, importEnds, importUndone, type Imported } from './use-draft.ts'

const { previewImport, addImport, cancelImport, undoImport, imports } = importRoutes

/** An import to preview or run: its files, each with the account of rows that name none and the order of its dates, and the zone of local times. */
export type ImportRequest = { readonly uploads: readonly (UploadToRead & { readonly account: string | null })[]; readonly zone: string }

/** What an import would do, and of which request. */
export type Preview = { readonly request: ImportRequest; readonly answer: ImportPreviewAnswer }

const inBody = ({ uploads, zone }: ImportRequest, work: string) => ({ work, uploads: [...uploads], zone, account: null })

/** Previews files before they are imported; while another request runs, the last answer stays, and an obsolete request is canceled. */
export const usePreview = (request: ImportRequest) =>
  useQuery<Preview, ApiFailure>({
    queryKey: [previewImport.path, request],
    queryFn: async ({ signal }) => {
      const work = crypto.randomUUID()
      signal.addEventListener('abort', () => {
        callApi(cancelImport, { body: { work } }).catch(() => undefined)
      })
      return { request, answer: await callApi(previewImport, { body: inBody(request, work) }) }
    },
    enabled: request.uploads.length > 0,
    placeholderData: keepPreviousData,
    // It describes the journal at its time: a user who comes back sees it at once, and then a new preview.
    staleTime: Infinity,
    refetchOnMount: 'always',
    gcTime: previewKeptMs,
    retry: false,
  })

const previewKeptMs = 30 * 60_000
const typingPauseMs = 300

const withoutAccounts = ({ uploads, zone }: ImportRequest): string => JSON.stringify([zone, uploads.map(({ id, dates }) => [id, dates])])

/** Debounces a request while the name of an account is being typed; any other change counts at once. */
export const useDebouncedRequest = (request: ImportRequest): ImportRequest => {
  const [settled, setSettled] = useState(request)
  const settle = useEffectEvent(() => { setSettled(request) })
  const atOnce = withoutAccounts(request) !== withoutAccounts(settled)
  const text = JSON.stringify(request)
  useEffect(() => {
    const pause = setTimeout(settle, atOnce ? 0 : typingPauseMs)
    return () => { clearTimeout(pause) }
  }, [text, atOnce])
  return atOnce ? request : settled
}

/** Starts an import, or cancels the one under way (`work`), which may have begun before the screen was left. */
export const useImport = (work: string | null) => {
  const client = useQueryClient()
  const { mutate } = useMutation<Imported, ApiFailure, { readonly request: ImportRequest; readonly work: string }>({
    mutationFn: (given) => callApi(addImport, { body: inBody(given.request, given.work) }),
    // The list has the import before its result shows.
    onSuccess: async (imported, given) => {
      await invalidateRoutes(client, imports).catch(() => undefined)
      // The journal has changed since the preview: a new one shows the questions that this raises.
      if (imported.imported === null) void client.invalidateQueries({ queryKey: [previewImport.path] })
      importEnds(given.work, imported, null)
    },
    onError: (failure, given) => {
      importEnds(given.work, null, failure)
    },
  })
  return {
    start: (request: ImportRequest): void => {
      const next = crypto.randomUUID()
      importBegins(next)
      mutate({ request, work: next })
    },
    cancel: (): void => {
      if (work !== null) callApi(cancelImport, { body: { work } }).catch(() => undefined)
    },
  }
}

/** The progress of this user's running previews and imports, by their id. */
export const useWorks = (): ReadonlyMap<string, ImportProgress> => {
  const [works, setWorks] = useState<ReadonlyMap<string, ImportProgress>>(new Map())
  usePushed('import-progress', ({ progress, ended }) => {
    setWorks((known) => {
      const next = new Map(known)
      if (ended) next.delete(progress.work)
      else next.set(progress.work, progress)
      return next
    })
  })
  return works
}

/** The imports so far, the newest first; read again whenever the journal changes. */
export const useImports = () => {
  const listed = useQuery({ ...apiQuery(imports), staleTime: 0 })
  usePushed('journal-changed', () => void listed.refetch())
  usePushed('import-progress', ({ progress, ended }) => {
    if (ended && progress.of === 'import') void listed.refetch()
  })
  return listed
}

/** Undoes an import, and notes in the draft what left the journal with it. */
export const useUndo = (onFailure: (failure: ApiFailure) => void) => {
  const client = useQueryClient()
  return useMutation<{ readonly settled: SettledCounts }, ApiFailure, string>({
    mutationFn: (id) => callApi(undoImport, { body: { id } }),
    onSuccess: ({ settled }) => { importUndone(settled) },
    onError: onFailure,
    onSettled: () => invalidateRoutes(client, imports),
  })
}
