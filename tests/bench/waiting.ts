type Span = { readonly from: number; readonly to: number }

/** Takes the time from a question to the end of its answer, until `stop`: what a program spends on waiting for another. */
export const watchFetch = (): { readonly waitedMs: () => number; readonly stop: () => void } => {
  const original = globalThis.fetch
  const spans: Span[] = []
  globalThis.fetch = async (...input) => {
    const from = performance.now()
    const response = await original(...input)
    const ended = (): void => void spans.push({ from, to: performance.now() })
    if (response.body === null) ended()
    return new Response(response.body?.pipeThrough(new TransformStream({ flush: ended })) ?? null, response)
  }
  return {
    waitedMs: () => unionOf(spans),
    stop: () => void (globalThis.fetch = original),
  }
}

/** Questions that overlap are waited for once. */
const unionOf = (spans: readonly Span[]): number => {
  let total = 0
  let reached = -Infinity
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    total += Math.max(0, to - Math.max(from, reached))
    reached = Math.max(reached, to)
  }
  return total
}
