import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { act, render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DayChart } from './day-chart.tsx'

const timeScale = vi.hoisted(() => ({ resize: (): void => undefined }))
vi.mock('lightweight-charts', () => ({
  ColorType: { Solid: 'solid' },
  CrosshairMode: { Magnet: 1 },
  createChart: () => ({ applyOptions: vi.fn(), remove: vi.fn(), timeScale: () => ({ subscribeSizeChange: (heard: () => void) => { timeScale.resize = heard } }) }),
}))

const format = createFormat('en', 'UTC')

test('figures are fitted again into a chart that gets its new width after they were shown', () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  const fitted: string[] = []
  const plot = () => (figures: string) => () => void fitted.push(figures)
  const shown = (figures: string) => <FormatContext value={format}><DayChart figures={figures} plot={plot} label="Equity" className="" /></FormatContext>
  const { rerender } = render(shown('one'))
  rerender(shown('other'))
  expect(fitted).toEqual(['one', 'other'])
  act(() => { timeScale.resize() })
  expect(fitted).toEqual(['one', 'other', 'other'])
})
