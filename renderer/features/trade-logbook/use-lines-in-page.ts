import { useFewAtOnce } from '#renderer/lib/use-few-at-once.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

const rowHeight = 36
/** The most rows that are drawn in one frame. */
const rowsAtOnce = 4

type Options = {
  readonly count: number
  readonly scroller: RefObject<HTMLElement | null>
  /** What a line shows; null where that is not fetched yet. */
  readonly keyOf: (line: number) => string | null
}

/** The lines that are in the page, which are those in sight and a few beside them, the heights of those above and below (px), and the keys of what is drawn whole by now. */
export const useLinesInPage = ({ count, scroller, keyOf }: Options) => {
  const virtualizer = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 6, scrollPaddingStart: rowHeight })
  const items = virtualizer.getVirtualItems()
  const lines = items.map(({ index }) => index)
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
  const inSight = (line: number): boolean => line >= startIndex && line <= endIndex
  const drawn = useFewAtOnce([...lines.filter(inSight), ...lines.filter((line) => !inSight(line))].flatMap((line) => keyOf(line) ?? []), rowsAtOnce)
  return {
    ...{ lines, drawn },
    first: lines[0] ?? null,
    last: lines.at(-1) ?? null,
    above: items[0]?.start ?? 0,
    below: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
    scrollTo: (line: number): void => { virtualizer.scrollToIndex(line) },
  }
}
