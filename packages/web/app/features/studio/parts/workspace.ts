export { Outcome } from "./results/outcome.tsx";
export { Notices } from "./stage/notices.tsx";
export { SharedPictures } from "./stage/shared-pictures.tsx";
export { Workbench } from "./stage/workbench.tsx";
