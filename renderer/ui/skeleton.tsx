import { classNames } from '#renderer/lib/class-names.ts'

/** A quiet shape in the place of what is loading, so that nothing jumps when it comes. */
export const Skeleton = ({ className }: { className?: string }) => <span aria-hidden className={classNames('block animate-pulse rounded-sm bg-line', className)} />
