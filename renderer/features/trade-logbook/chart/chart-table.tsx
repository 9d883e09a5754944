import { classNames } from '#renderer/lib/class-names.ts'
import type { ReactNode } from 'react'

type Props = {
  readonly id?: string
  readonly caption: string
  /** The names of the columns; null for one of buttons. */
  readonly head: readonly (string | null)[]
  /** The first column of figures, counted from 0. */
  readonly figuresFrom: number
  readonly className?: string
  /** Its rows. */
  readonly children: ReactNode
}

/** A table that says in words what a chart shows. */
export const ChartTable = ({ id, caption, head, figuresFrom, className, children }: Props) => (
  <table id={id} className={classNames('w-full text-sm tabular-nums [&_:is(td,th)]:py-1', className)}>
    <caption className="sr-only">{caption}</caption>
    <thead className="text-left text-muted">
      <tr>
        {head.map((name, column) => (name === null ? <td key={column} /> : <th key={column} scope="col" className={classNames('font-normal', column >= figuresFrom && 'text-right')}>{name}</th>))}
      </tr>
    </thead>
    <tbody className="[&>tr]:border-t [&>tr]:border-hairline">{children}</tbody>
  </table>
)
