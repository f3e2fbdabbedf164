#pragma once
// Not DxLib: as much of its interface as samples/dxlib_draw.cpp uses, so that the sample is at least compiled where DxLib is not. Written
// from DxLib's public function reference; nothing is defined, so nothing links against it.

using HINSTANCE = void*;
using LPSTR = char*;
using LONGLONG = long long;
#define WINAPI
#define TRUE 1
#define FALSE 0
#define DX_SCREEN_BACK 2
#define DX_NONE_GRAPH (-5)
#define KEY_INPUT_ESCAPE 1

struct VECTOR {
    float x, y, z;
};
struct MATRIX {
    float m[4][4];
};
struct COLOR_U8 {
    unsigned char b, g, r, a;
};
struct COLOR_F {
    float r, g, b, a;
};
struct VERTEX3D {
    VECTOR pos;
    VECTOR norm;
    COLOR_U8 dif;
    COLOR_U8 spc;
    float u, v;
    float su, sv;
};
struct MATERIALPARAM {
    COLOR_F Diffuse, Ambient, Specular, Emissive;
    float Power;
};

int ChangeWindowMode(int flag);
int SetGraphMode(int width, int height, int color_bits);
int SetMainWindowText(const char* text);
int DxLib_Init();
int DxLib_End();
int ProcessMessage();
int CheckHitKey(int key);
LONGLONG GetNowHiPerformanceCount();
int SetDrawScreen(int screen);
int ClearDrawScreen();
int ScreenFlip();
int SetUseZBuffer3D(int flag);
int SetWriteZBuffer3D(int flag);
int SetUseBackCulling(int flag);
int SetCameraNearFar(float near_distance, float far_distance);
int SetCameraPositionAndTarget_UpVecY(VECTOR position, VECTOR target);
int SetTransformToWorld(const MATRIX* matrix);
int SetMaterialUseVertDifColor(int flag);
int SetMaterialUseVertSpcColor(int flag);
int SetMaterialParam(MATERIALPARAM material);
int LoadGraph(const char* path);
int DrawPolygon32bitIndexed3D(const VERTEX3D* vertices, int vertex_count, const unsigned int* indices, int polygon_count,
                              int graph, int is_transparent);
VECTOR VGet(float x, float y, float z);
COLOR_F GetColorF(float red, float green, float blue, float alpha);
COLOR_U8 GetColorU8(int red, int green, int blue, int alpha);
