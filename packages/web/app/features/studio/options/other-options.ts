// The options of all tools but the first, which alone is shown when the page opens: one chunk for them together.
export { AimChoice, SizeField } from "./aim-choice.tsx";
export { ConvertOptions } from "./convert-options.tsx";
export { HeicNote } from "./heic-note.tsx";
export { OperationFields } from "./operation-fields.tsx";
export { RemoveBackgroundOptions } from "./remove-background-options.tsx";
export { ResizeOptions } from "./resize-options.tsx";
export { UpscaleOptions } from "./upscale-options.tsx";
