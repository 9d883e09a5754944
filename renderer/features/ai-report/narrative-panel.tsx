import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import type { Narrative, Report, ReportSettings } from '#shared/api/reports.ts'
import { CircleCheck, PenLine, RotateCcw, Square, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NarrativeText } from './narrative-text.tsx'
import { isFree, pseudonymIn, textShown } from './narrative-shown.ts'
import { namesShown } from './pseudonyms.ts'
import type { ReportWords } from './report-words.ts'
import { useCancelNarrative } from './use-report-calls.ts'

type Props = { readonly report: Report; readonly settings: ReportSettings; readonly words: ReportWords; readonly onWrite: () => void; readonly onSetUp: () => void }

/** What a language model wrote about a report, or the button to ask it; a report is complete without a model. */
export const NarrativePanel = (props: Props) => {
  const { t } = useTranslation('ai-report')
  const { narrative } = props.report
  const runs = narrative?.state === 'writing' || narrative?.state === 'checking'
  return (
    <Card
      title={t('narrative.title')}
      {...(narrative === null ? {} : { note: narrative.model })}
      className="flex shrink-0 flex-col overflow-hidden lg:sticky lg:top-0 lg:max-h-[calc(100vh-9.5rem)]"
      actions={narrative !== null && !runs && <Again {...props} />}
    >
      <div {...(narrative === null ? {} : { tabIndex: 0, role: 'group', 'aria-label': t('narrative.title') })} className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4 -outline-offset-2">
        {narrative === null ? <None {...props} /> : runs ? <Writing narrative={narrative} report={props.report} /> : <Written {...props} narrative={narrative} />}
      </div>
    </Card>
  )
}

const Again = ({ report, settings, onWrite }: Props) => {
  const { t } = useTranslation('ai-report')
  if (settings.model === null || report.trades === 0) return null
  return (
    <Button variant="ghost" size="sm" onClick={onWrite}>
      <RotateCcw aria-hidden />
      {t('narrative.again')}
    </Button>
  )
}

const None = ({ report, settings, onWrite, onSetUp }: Props) => {
  const { t } = useTranslation('ai-report')
  if (report.trades === 0) return <p className="text-muted">{t('narrative.no-trades')}</p>
  if (settings.model === null) {
    return (
      <>
        <p className="text-muted">{t('narrative.without')}</p>
        <Button variant="outline" className="self-start" onClick={onSetUp}>
          {t('narrative.set-up')}
        </Button>
      </>
    )
  }
  return (
    <>
      <p className="text-muted">{t('narrative.offer', { model: settings.model.model })}</p>
      <Button className="self-start" onClick={onWrite}>
        <PenLine aria-hidden />
        {t('narrative.write')}
      </Button>
    </>
  )
}

// Endpoints count at the end, if at all: four letters are about one token.
const roughTokens = (text: string): number => Math.ceil(text.length / 4)

const Writing = ({ narrative, report }: { narrative: Narrative; report: Report }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const words = useProblemText()
  const cancel = useCancelNarrative()
  const { state, draft, tokens } = narrative
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="flex items-center gap-2 text-muted">
          <Spinner />
          {t(`narrative.state.${state}`)}
        </span>
        <Badge tone="warn">{t('narrative.unchecked')}</Badge>
        <Button variant="outline" size="sm" className="ml-auto" busy={cancel.isPending} onClick={() => { cancel.mutate(report.id) }}>
          <Square aria-hidden />
          {t('narrative.cancel')}
        </Button>
      </div>
      {cancel.isError && <Notice tone="error">{words(cancel.error)}</Notice>}
      {draft === '' ? (
        <p className="text-sm text-faint">{t('narrative.waiting')}</p>
      ) : (
        <div tabIndex={0} role="group" aria-label={t('narrative.draft')} className="max-h-96 overflow-y-auto rounded-md border border-dashed border-line px-3 py-2 leading-relaxed whitespace-pre-wrap text-faint wrap-anywhere">
          {namesShown(report.names)(draft)}
        </div>
      )}
      {draft !== '' && <p className="text-sm text-faint">{tokens === null ? t('narrative.so-far', { count: roughTokens(draft), tokens: format.count(roughTokens(draft)) }) : t('narrative.tokens', { input: format.count(tokens.input), output: format.count(tokens.output) })}</p>}
    </>
  )
}

const Written = ({ report, narrative, words, settings, onSetUp }: Props & { narrative: Narrative }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const { state, passages, failure } = narrative
  const text = textShown(narrative)
  const isEmpty = passages.length === 0
  return (
    <>
      {state === 'failed' && (
        <Notice
          tone={failure === 'gave-half' ? 'warn' : 'error'}
          action={
            (failure === 'key-refused' || failure === 'model-unknown' || failure === 'unreachable') && (
              <Button variant="link" size="sm" onClick={onSetUp}>
                {settings.model === null ? t('narrative.set-up') : t('model.open')}
              </Button>
            )
          }
        >
          {t(failure === 'gave-half' && isEmpty ? 'narrative.gave-nothing' : `failure.${failure ?? 'internal'}`)}
        </Notice>
      )}
      {state === 'cancelled' && <Notice>{t(isEmpty ? 'narrative.cancelled-empty' : 'narrative.cancelled')}</Notice>}
      {text !== null && (
        <>
          {text.isEarlier && <p className="text-sm text-faint">{t('narrative.earlier', { model: text.model, time: format.fullDateTime(text.writtenAt) })}</p>}
          {isFree(text.passages) ? <Notice tone="warn">{t('written.free')}</Notice> : <Counted proved={text.proved} unproved={text.unproved} />}
          <NarrativeText passages={text.passages} report={report} words={words} />
          {text.passages.some(({ segments }) => segments.some((one) => 'says' in one)) && <p className="text-sm text-faint">{t('written.whose')}</p>}
        </>
      )}
      <Facts narrative={narrative} report={report} />
    </>
  )
}

const Counted = ({ proved, unproved }: { proved: number; unproved: number }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  if (proved === 0 && unproved === 0) return <p className="text-sm text-faint">{t('narrative.no-figures')}</p>
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {proved > 0 && (
        <span className="inline-flex items-center gap-1 text-muted">
          <CircleCheck aria-hidden className="size-3.5 text-accent" />
          {t('narrative.proved', { count: proved, figures: format.count(proved) })}
        </span>
      )}
      {unproved > 0 && (
        <span className="inline-flex items-center gap-1 text-warn">
          <TriangleAlert aria-hidden className="size-3.5" />
          {t('narrative.unproved', { count: unproved, figures: format.count(unproved) })}
        </span>
      )}
    </p>
  )
}

const Facts = ({ narrative, report }: { narrative: Narrative; report: Report }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const { model, passages, startedAt, endedAt, asked, tokens, cost, withNotes } = narrative
  const isWritten = passages.length > 0
  const pseudonym = pseudonymIn(textShown(narrative)?.passages ?? [], report.names)
  return (
    <div className="mt-1 flex flex-col gap-2 border-t border-hairline pt-3 text-sm text-faint">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <Fact name={t('narrative.model')}>{model}</Fact>
        <Fact name={t(isWritten ? 'narrative.when' : 'narrative.begun')}>{format.fullDateTime(isWritten ? (endedAt ?? startedAt) : startedAt)}</Fact>
        {tokens !== null && <Fact name={t('narrative.tokens-name')}>{t('narrative.tokens', { input: format.count(tokens.input), output: format.count(tokens.output) })}</Fact>}
        {cost !== null && <Fact name={t('narrative.cost')}>{format.fullMoney(cost.amount, cost.currency)}</Fact>}
        {isWritten && <Fact name={t('narrative.asked')}>{t('narrative.asked-times', { count: asked, times: format.count(asked) })}</Fact>}
        {(isWritten || withNotes) && <Fact name={t('narrative.notes')}>{t(withNotes ? 'narrative.notes-sent' : 'narrative.notes-kept')}</Fact>}
      </dl>
      {pseudonym !== null && <p>{t('narrative.pseudonyms', { pseudonym })}</p>}
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd className="text-muted wrap-anywhere">{children}</dd>
  </>
)
