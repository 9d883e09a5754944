import { extractText, getDocumentProxy } from 'unpdf'
import type { AnswerOf } from '#shared/api/route.ts'
import { reportPdfPath, reportRoutes } from '#shared/api/reports.ts'
import type { Browser } from './browser.ts'
import { startModelEndpoint } from './model-endpoint.ts'
import { rawBytes, type RawAnswer } from './raw-request.ts'

/** Sends a document, valid or not, to be rendered as a PDF. */
export const askPdf = (browser: Browser, body: unknown): Promise<Omit<RawAnswer, 'body'> & { readonly bytes: Buffer }> =>
  rawBytes(`${browser.origin}${reportPdfPath}`, { method: 'POST', headers: { ...browser.own(), 'content-type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) })

/** All text of a PDF. */
export const textOfPdf = async (bytes: Uint8Array): Promise<string> => (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text.join(' ')

/** Runs once through everything that reports need, threads, fonts and SDK: how many facts a report of everything has, a PDF's text, and the result of trying an endpoint. */
export const reportOf = async (browser: Browser): Promise<{ readonly facts: number; readonly pdf: string; readonly tried: AnswerOf<typeof reportRoutes.tryModel> }> => {
  const { report } = await browser.call(reportRoutes.makeReport, { body: { period: { kind: 'free', from: '2020-01-01', to: '2029-12-31' }, accounts: [] } })
  const { bytes } = await askPdf(browser, { title: 'Report', blocks: [{ kind: 'paragraph', tone: 'plain', text: '≤ −1.50 €' }] })
  const endpoint = await startModelEndpoint()
  try {
    await browser.call(reportRoutes.saveModel, { body: { model: { baseUrl: endpoint.baseUrl, model: 'story-teller', key: 'key', prices: null } } })
    return { facts: report.facts.length, pdf: await textOfPdf(bytes), tried: await browser.call(reportRoutes.tryModel, { body: {} }) }
  } finally {
    await endpoint.stop()
  }
}
