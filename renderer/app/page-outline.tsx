/** The outline of an empty page, shown behind a closed gate instead of the page, so that nothing of the page runs. */
export const PageOutline = ({ title }: { title: string }) => (
  <div className="flex h-full flex-col">
    <div className="flex min-h-13 items-center justify-between border-b border-line bg-surface px-5">
      <span className="text-title font-[620]">{title}</span>
      <span className="h-8 w-28 rounded-md bg-accent" />
    </div>
    <div className="flex grow flex-col gap-3.5 px-5 py-4.5">
      <div className="grid grid-cols-4 gap-3.5">
        {[24, 32, 20, 28].map((width) => (
          <div key={width} className="rounded-lg border border-line bg-surface px-4 py-4">
            <span className="block h-2.5 w-20 rounded-sm bg-line" />
            <span className="mt-3 block h-4 rounded-sm bg-muted" style={{ width: `${String(width * 4)}px` }} />
          </div>
        ))}
      </div>
      <div className="grow rounded-lg border border-line bg-surface">
        {Array.from({ length: 10 }, (_, row) => (
          <div key={row} className="flex items-center gap-10 border-b border-hairline px-4 py-4">
            <span className="h-3 w-36 rounded-sm bg-muted" />
            <span className="h-3 w-24 rounded-sm bg-line" />
            <span className="h-3 grow rounded-sm bg-hairline" />
            <span className={row % 3 === 0 ? 'h-3 w-16 rounded-sm bg-loss' : 'h-3 w-16 rounded-sm bg-gain'} />
          </div>
        ))}
      </div>
    </div>
  </div>
)
