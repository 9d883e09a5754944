import { useFormat } from '#renderer/lib/use-format.ts'
import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { PublicFrame } from '#renderer/ui/public-frame.tsx'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router-dom'

/** The day on which these texts came into force, a calendar day. */
const since = '2026-11-22'

/** A section of a legal text; blank lines in `text` separate paragraphs, and list items begin with a dash. */
export type LegalSection = { readonly id: string; readonly title: string; readonly text: string }

/** A legal page: its contents beside its sections; the address names the section to scroll to. */
export const LegalText = ({ title, lead, path, sections }: { title: string; lead: string; path: string; sections: readonly LegalSection[] }) => {
  const { t } = useTranslation('app')
  const format = useFormat()
  const [params] = useSearchParams()
  const asked = params.get('section')
  const { key } = useLocation()
  const parts = useRef(new Map<string, HTMLElement>())
  useEffect(() => {
    const part = asked === null ? undefined : parts.current.get(asked)
    part?.scrollIntoView()
    part?.focus({ preventScroll: true })
    // The same section may be requested again after scrolling away.
  }, [asked, key])
  return (
    <PublicFrame>
      <DocumentTitle shows={title} />
      <div className="mx-auto grid max-w-6xl grid-cols-[13rem_minmax(0,44rem)] gap-x-12 gap-y-6 px-5 py-8 max-lg:grid-cols-1 max-sm:px-4">
        <header className="col-span-full max-w-3xl">
          <h1 className="text-headline font-semibold tracking-[-0.015em]">{title}</h1>
          <p className="mt-2 text-muted">{lead}</p>
          <p className="mt-1 text-sm text-faint">{t('legal.since', { date: format.fullDay(since) })}</p>
        </header>
        <nav aria-label={t('legal.contents')} className="self-start lg:sticky lg:top-6">
          <h2 className="text-sm font-medium text-muted">{t('legal.contents')}</h2>
          <ol className="mt-1.5 flex flex-col border-l border-line">
            {sections.map(({ id, title: name }) => (
              <li key={id}>
                <Link
                  to={`${path}?section=${id}`}
                  replace
                  aria-current={asked === id ? 'location' : undefined}
                  className="-ml-px block border-l-2 border-transparent py-1 pl-3 text-muted hover:text-ink aria-[current=location]:border-accent aria-[current=location]:text-ink"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <div className="flex flex-col gap-8">
          {sections.map(({ id, title: name, text }) => (
            <section
              key={id}
              aria-labelledby={`section-${id}`}
              tabIndex={-1}
              ref={(part) => {
                if (part) parts.current.set(id, part)
                else parts.current.delete(id)
              }}
              className="scroll-mt-6 outline-none"
            >
              <h2 id={`section-${id}`} className="text-title font-semibold tracking-[-0.01em]">
                {name}
              </h2>
              {blocksOf(text).map((block) =>
                block.kind === 'list' ? (
                  <ul key={block.lines[0]} className="mt-2 flex list-disc flex-col gap-1 pl-5 marker:text-faint">
                    {block.lines.map((line) => (
                      <li key={line}>{line}</li>
                    ))}
                  </ul>
                ) : (
                  <p key={block.text} className="mt-2">
                    {block.text}
                  </p>
                ),
              )}
            </section>
          ))}
        </div>
      </div>
    </PublicFrame>
  )
}

/** A paragraph, or a list of lines. */
type Block = { readonly kind: 'paragraph'; readonly text: string } | { readonly kind: 'list'; readonly lines: readonly string[] }

const mark = '- '

/** The paragraphs and lists of a text: blank lines separate blocks, and list items begin with a dash. */
export const blocksOf = (text: string): readonly Block[] =>
  text
    .split('\n\n')
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const lines = block.split('\n')
      return lines.every((line) => line.startsWith(mark)) ? { kind: 'list', lines: lines.map((line) => line.slice(mark.length)) } : { kind: 'paragraph', text: block }
    })
