import type { DiagnosticsAnswers, DiagnosticsBridge, DiagnosticsQuestion, NamedValue, ProcessFigures } from '#shared/bridge/diagnostics-bridge.ts'

const { ask } = (globalThis as unknown as { readonly fillbookDiagnostics: DiagnosticsBridge }).fillbookDiagnostics
const renewMs = 2_000

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no ${id}`)
  return found
}

const made = (tag: string, text: string): HTMLElement => {
  const one = document.createElement(tag)
  // As text and never as HTML: log lines and figures are untrusted.
  one.textContent = text
  return one
}

const row = (name: string, values: readonly string[]): HTMLElement => {
  const line = document.createElement('tr')
  const head = made('th', name)
  head.setAttribute('scope', 'row')
  line.append(head, ...values.map((value) => made('td', value)))
  return line
}

const showList = (id: string, entries: readonly NamedValue[]): void => element(id).replaceChildren(...entries.flatMap(({ name, value }) => [made('dt', name), made('dd', value)]))

const showFigures = (figures: readonly ProcessFigures[], { language, texts }: DiagnosticsAnswers['opening']): void => {
  const size = new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 })
  const share = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const shown = (memory: number, cpu: number): readonly string[] => [size.format(memory / 1_048_576), share.format(cpu / 100)]
  element('processes').replaceChildren(...figures.map(({ name, pid, memory, cpu }) => row(name, [String(pid), ...shown(memory, cpu)])))
  const sumOf = (of: (figures: ProcessFigures) => number): number => figures.reduce((sum, one) => sum + of(one), 0)
  element('all-processes').replaceChildren(row(texts.total, ['', ...shown(sumOf(({ memory }) => memory), sumOf(({ cpu }) => cpu))]))
}

const showLog = (lines: readonly string[], empty: string): void => {
  const log = element('log')
  const text = lines.length === 0 ? empty : lines.join('\n')
  if (log.textContent === text) return
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 4
  log.textContent = text
  // Keep the scroll position of a reader further up.
  if (atEnd) log.scrollTop = log.scrollHeight
}

const sayOutcome = (question: DiagnosticsQuestion, answer: unknown, texts: DiagnosticsAnswers['opening']['texts']): string => {
  if (question === 'open-folder') return answer === 'opened' ? texts.folderOpened : texts.folderFailed
  if (question === 'copy-versions') return answer === 'copied' ? texts.versionsCopied : ''
  if (answer === 'cancelled') return ''
  return answer === 'saved' ? texts.bundleSaved : texts.bundleFailed
}

const readyButton = (button: HTMLButtonElement, texts: DiagnosticsAnswers['opening']['texts']): void => {
  const question = button.dataset['asks'] as DiagnosticsQuestion
  const status = element('status')
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') === 'true') return
    // Not `disabled`, which would take the focus away.
    button.setAttribute('aria-disabled', 'true')
    status.textContent = question === 'save-bundle' ? texts.bundleSaving : ''
    void ask(question).then((answer) => {
      button.removeAttribute('aria-disabled')
      status.textContent = sayOutcome(question, answer, texts)
    })
  })
}

const renew = async (opening: DiagnosticsAnswers['opening']): Promise<void> => {
  const [figures, log] = await Promise.all([ask('figures'), ask('log')])
  if (figures !== null) showFigures(figures, opening)
  if (log !== null) showLog(log, opening.texts.logEmpty)
}

const begin = async (): Promise<void> => {
  const opening = await ask('opening')
  if (opening === null) return
  const { language, texts, versions, paths } = opening
  document.documentElement.lang = language
  document.title = texts.title
  for (const place of document.querySelectorAll<HTMLElement>('[data-text]')) place.textContent = texts[place.dataset['text'] as keyof typeof texts]
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-asks]')) readyButton(button, texts)
  showList('versions', versions)
  showList('paths', paths)
  await renew(opening)
  setInterval(() => void (document.visibilityState === 'visible' && renew(opening)), renewMs)
  document.addEventListener('visibilitychange', () => void (document.visibilityState === 'visible' && renew(opening)))
}

document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') void ask('close')
})
void begin()
