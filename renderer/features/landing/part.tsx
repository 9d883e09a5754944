import { useId, type ReactNode } from 'react'

/** A part of the page under its heading. */
export const Part = ({ name, text, children }: { name: string; text?: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div>
        <h2 id={id} className="text-figure font-semibold tracking-[-0.015em]">
          {name}
        </h2>
        {text && <p className="mt-1 max-w-3xl text-muted">{text}</p>}
      </div>
      {children}
    </section>
  )
}
