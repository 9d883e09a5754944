import { classNames } from '#renderer/lib/class-names.ts'

/** A quiet shape in place of loading content, so that nothing jumps when it arrives. */
export const Skeleton = ({ className }: { className?: string }) => <span aria-hidden className={classNames('block animate-pulse rounded-sm bg-line', className)} />

/** A quiet shape at the foot of a card in place of its chart. */
export const ChartSkeleton = () => (
  <div className="flex grow flex-col justify-end p-4">
    <Skeleton className="h-3/5 min-h-24 w-full opacity-50" />
  </div>
)
