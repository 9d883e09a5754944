import { apiQuery, callApi, invalidateRoutes, type ApiFailure } from '#renderer/lib/api.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { importRoutes, type ImportPreviewAnswer, type ImportProgress, type SettledCounts, type UploadToRead } from '#shared/api/imports.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { importBegins, importEnds, importUndone, type Imported } from './use-draft.ts'

const { previewImport, addImport, cancelImport, undoImport, imports } = importRoutes

/** What is to be imported: which files, each with whose its rows are that name no account and how its dates begin, and in which zone their local times are. */
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

/** What is to be looked at: the request, once no name is being typed. */
export const useSettledRequest = (request: ImportRequest): ImportRequest => {
  const text = JSON.stringify(request)
  const [settled, setSettled] = useState(text)
  const files = (of: string): string => JSON.stringify({ ...(JSON.parse(of) as ImportRequest), uploads: (JSON.parse(of) as ImportRequest).uploads.map(({ id, dates }) => [id, dates]) })
  const atOnce = files(text) !== files(settled)
  useEffect(() => {
    const pause = setTimeout(() => { setSettled(text) }, atOnce ? 0 : typingPauseMs)
    return () => { clearTimeout(pause) }
  }, [text, atOnce])
  return JSON.parse(atOnce ? text : settled) as ImportRequest
}

/** Imports files; `work` names the import that is under way, which may have begun before the screen was left, and `cancel` ends it as long as it does not stand. */
export const useImport = (work: string | null) => {
  const client = useQueryClient()
  const { mutate } = useMutation<Imported, ApiFailure, { readonly request: ImportRequest; readonly work: string }>({
    mutationFn: (given) => callApi(addImport, { body: inBody(given.request, given.work) }),
    // The list has the import before its result shows.
    onSuccess: async (imported, given) => {
      await invalidateRoutes(client, imports).catch(() => undefined)
      // The journal has changed since the files were looked at: what it makes open shows in a new look.
      if (imported.imported === null) void client.invalidateQueries({ queryKey: [previewImport.path] })
      importEnds(given.work, imported, null)
    },
    onError: (failure, given) => {
      importEnds(given.work, null, failure)
    },
  })
  return {
    work,
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

/** How far the works of this user are that have not ended, as they are pushed. */
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

/** Takes an import back; what left the journal with it is kept beside what came of the last one. */
export const useUndo = (onFailure: (failure: ApiFailure) => void) => {
  const client = useQueryClient()
  return useMutation<{ readonly settled: SettledCounts }, ApiFailure, string>({
    mutationFn: (id) => callApi(undoImport, { body: { id } }),
    onSuccess: ({ settled }, id) => { importUndone(id, settled) },
    onError: onFailure,
    onSettled: () => invalidateRoutes(client, imports),
  })
}
