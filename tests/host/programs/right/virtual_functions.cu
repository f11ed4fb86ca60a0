// Objects with virtual functions are made, called and deleted on the device.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Box : Shape {
  float width, height;
  __device__ Box(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
};

__global__ void make(Shape** shapes) {
  const int i = threadIdx.x;
  if (i % 2 == 0) shapes[i] = new Square(static_cast<float>(i));
  else shapes[i] = new Box(2.0f, static_cast<float>(i));
}
__global__ void measure(Shape** shapes, float* areas) { areas[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void remove(Shape** shapes) { delete shapes[threadIdx.x]; }

int main() {
  const int n = 16;
  Shape** shapes;
  float *areas, host[n];
  cudaMalloc(&shapes, n * sizeof(Shape*));
  cudaMalloc(&areas, sizeof host);
  make<<<1, n>>>(shapes);
  measure<<<1, n>>>(shapes, areas);
  remove<<<1, n>>>(shapes);
  cudaMemcpy(host, areas, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && host[i] == static_cast<float>(i % 2 == 0 ? i * i : 2 * i);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(shapes);
  cudaFree(areas);
  return 0;
}
