import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { monthShape, type MonthBar } from './month-shape.ts'

const height = 190
const left = 58
const [above, below] = [10, 34]

/** Earnings up, expenses down and the net as a line, by month; `label` describes it, and the element with the id `tableId` has its figures. `onPoint` gets the month under the pointer. */
export const MonthChart = ({ bars, label, tableId, pointed, onPoint }: { bars: readonly MonthBar[]; label: string; tableId: string; pointed: string | null; onPoint: (month: string | null) => void }) => {
  const format = useFormat()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const { ticks, zero, slot, bar, months } = monthShape(bars, width, height, left)
  return (
    <div ref={frame} role="img" aria-label={label} aria-details={tableId} className="min-w-0 px-4 pb-2">
      <svg aria-hidden width={width} height={above + height + below} className="block overflow-visible text-xs" onPointerLeave={() => { onPoint(null) }}>
        <g transform={`translate(0 ${String(above)})`}>
          {ticks.map(({ value, y }) => (
            <g key={value}>
              <line x1={left} x2={width} y1={y} y2={y} className={value === 0 ? 'stroke-line' : 'stroke-hairline'} />
              <text x={left - 10} y={y} dy="0.32em" textAnchor="end" className="fill-faint tabular-nums">
                {Math.abs(value) < 5 && !Number.isInteger(value) ? format.money(value) : format.count(value)}
              </text>
            </g>
          ))}
          {months.map(({ month, x, up, down, named }, at) => (
            <g key={month}>
              <rect x={x - slot / 2} y={-above} width={slot} height={height + above} className={pointed === month ? 'fill-raised' : 'fill-transparent'} onPointerEnter={() => { onPoint(month) }} />
              <rect x={x - bar / 2} y={up} width={bar} height={zero - up} rx={1.5} className="pointer-events-none fill-gain" />
              <rect x={x - bar / 2} y={zero} width={bar} height={down - zero} rx={1.5} className="pointer-events-none fill-loss" />
              {named && (
                <text x={x} y={height + 15} textAnchor="middle" className="fill-faint">
                  <tspan x={x}>{format.shortMonth(`${month}-01`)}</tspan>
                  {!months.slice(0, at).some((before) => before.named && before.month.slice(0, 4) === month.slice(0, 4)) && (
                    <tspan x={x} dy="1.25em">
                      {month.slice(0, 4)}
                    </tspan>
                  )}
                </text>
              )}
            </g>
          ))}
          <polyline points={months.map(({ x, net }) => `${String(x)},${String(net)}`).join(' ')} className="pointer-events-none fill-none stroke-ink" strokeWidth={1.5} strokeLinejoin="round" />
          {months.map(({ month, x, net }) => (
            <circle key={month} cx={x} cy={net} r={slot < 12 ? 1.5 : 3} className={classNames('pointer-events-none stroke-surface', pointed === month ? 'fill-accent' : 'fill-ink')} strokeWidth={slot < 12 ? 0 : 1.5} />
          ))}
        </g>
      </svg>
    </div>
  )
}

// SVG text does not wrap and would be stretched: draw it for the available width.
const useWidth = (frame: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(560)
  useEffect(() => {
    if (frame.current === null) return
    const observer = new ResizeObserver(([entry]) => { setWidth(Math.floor(entry?.contentRect.width ?? 0)) })
    observer.observe(frame.current)
    return () => {
      observer.disconnect()
    }
  }, [frame])
  return width
}
